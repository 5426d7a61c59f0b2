import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pagesServer } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const drawings = `${root}node_modules/@tabler/icons/tabler-nodes-outline.json`;

/** All icons at once: here nobody waits for a download. */
const icons: Plugin = {
  name: 'all-icons',
  enforce: 'pre',
  resolveId: (source) =>
    source === 'virtual:common-icons'
      ? '\0all-icons'
      : source.startsWith('@tabler/icons/tabler-nodes-outline.json')
        ? '\0no-url'
        : null,
  load: (id) =>
    id === '\0all-icons'
      ? `export default ${readFileSync(drawings, 'utf8')}`
      : id === '\0no-url'
        ? 'export default ""'
        : null,
};

/** The pages around the editor with a server in memory: `npx vite build -c dev/pages/vite.config.ts`, then `npx vite preview -c …`. */
export default defineConfig({
  root,
  plugins: [icons, react(), pagesServer()],
  build: { outDir: 'dist', emptyOutDir: true },
  server: { host: '127.0.0.1', port: 5199 },
  preview: { host: '127.0.0.1', port: 5199 },
});
