import { configure } from '@testing-library/dom';
import { afterAll, vi } from 'vitest';

// What a test waits for comes at once, but not on a machine that does much else.
configure({ asyncUtilTimeout: 10_000 });

// A part that a test left loading would be torn off with its file, and be broken for those that follow.
afterAll(() => vi.dynamicImportSettled());
// All files share one page: what a test left in it, or put in place of a part of it, would be found by another file's.
afterAll(() => {
  vi.unstubAllGlobals();
  if (typeof document !== 'undefined') document.body.replaceChildren();
});
