import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressed } from './dev/compressed.ts';
import { commonIcons } from './dev/icons.ts';
import { mockServer } from './dev/mock.ts';

const backend = process.env.GRAPHWRIGHT_BACKEND ?? 'http://127.0.0.1:8000';

const proxy = {
  '/api': { target: backend, changeOrigin: false },
  '/ws': { target: backend.replace(/^http/, 'ws'), ws: true },
};

const drawing = /src.(canvas|inspector|features.editor|store|graph.editing)|xyflow|d3-|zustand/;
const forms =
  /@mantine.core.*(Select|Combobox|TagsInput|Textarea|PasswordInput|SegmentedControl|FloatingIndicator|Checkbox(?!.CheckIcon)|Radio(?!.RadioIcon)|Switch|Pill|InlineInput)/;
const alone = { includeDependenciesRecursively: false };
/**
 * What many parts of the page need is one file, and so are icons, what forms need and what the canvas needs:
 * in a hundred small ones they were slower to ask for, and hardly less. A part is what is loaded by itself.
 */
const sharedCode = [
  {
    name: 'shared',
    priority: 4,
    minShareCount: 8,
    test: (id: string) => !drawing.test(id) && !forms.test(id),
  },
  // these two without what they need themselves, which `shared` has: it comes first, and asks for neither
  { name: 'icons', priority: 3, minShareCount: 2, test: /icons-react.*Icon/, ...alone },
  { name: 'forms', priority: 2, minShareCount: 4, test: forms, ...alone },
  { name: 'drawing', priority: 1, minShareCount: 8, test: drawing },
];

/**
 * Builds to `static/build` with a manifest, under the address that Django serves it from.
 * The development server answers at its own root and passes the API and the socket on;
 * in mode `mock` it answers the API itself, from memory, and a build can be looked at with `vite preview`.
 */
export default defineConfig(({ command, mode }) => ({
  base: command === 'build' && mode !== 'mock' ? '/static/build/' : '/',
  plugins: [react(), commonIcons(), mode === 'mock' ? mockServer() : compressed()],
  build: {
    outDir: mode === 'mock' ? 'dist' : '../static/build',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: mode === 'mock' ? 'index.html' : 'src/main.tsx',
      output: { codeSplitting: { groups: sharedCode } },
    },
  },
  server: {
    host: '127.0.0.1',
    ...(mode === 'mock' ? {} : { proxy }),
  },
  test: {
    environment: 'node',
    pool: 'threads',
    isolate: false, // a module is loaded once for all files: no test changes one
    setupFiles: ['dev/settle.ts'],
    testTimeout: 20_000,
    include: ['src/**/*.test.{ts,tsx}', 'dev/**/*.test.ts'],
    restoreMocks: true,
  },
}));
