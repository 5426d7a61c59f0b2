import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { commonIcons } from './dev/icons.ts';
import { mockServer } from './dev/mock.ts';

const backend = process.env.GRAPHWRIGHT_BACKEND ?? 'http://127.0.0.1:8000';

const proxy = {
  '/api': { target: backend, changeOrigin: false },
  '/ws': { target: backend.replace(/^http/, 'ws'), ws: true },
};

/**
 * Builds to `static/build` with a manifest, under the address that Django serves it from.
 * The development server answers at its own root and passes the API and the socket on;
 * in mode `mock` it answers the API itself, from memory, and a build can be looked at with `vite preview`.
 */
export default defineConfig(({ command, mode }) => ({
  base: command === 'build' && mode !== 'mock' ? '/static/build/' : '/',
  plugins: [react(), commonIcons(), ...(mode === 'mock' ? [mockServer()] : [])],
  build: {
    outDir: mode === 'mock' ? 'dist' : '../static/build',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: mode === 'mock' ? 'index.html' : 'src/main.tsx',
      // what nearly every page needs is one file: in a hundred small ones it was larger, and slower to ask for
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 30 }] } },
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
