import type { Plugin } from 'vite';

/** A server of `docs/api.md` in memory, for looking at the pages without a backend. */
export function mockServer(): Plugin {
  return { name: 'graphwright-mock' };
}
