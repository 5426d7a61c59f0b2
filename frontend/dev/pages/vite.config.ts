import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { commonIcons } from '../icons.ts';
import { pagesServer } from './server.ts';

/** The pages around the editor with a server in memory: `npx vite -c dev/pages/vite.config.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [react(), commonIcons(), pagesServer()],
  server: { host: '127.0.0.1', port: 5199 },
});
