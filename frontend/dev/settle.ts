import { afterAll, vi } from 'vitest';

// A part that a test left loading would be torn off with its file, and be broken for those that follow.
afterAll(() => vi.dynamicImportSettled());
