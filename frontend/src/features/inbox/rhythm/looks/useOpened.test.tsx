// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConductorContext, createConductor } from '../conductor.ts';
import { useOpened } from './useOpened.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Show an item so high in a pane of 600 px for so long; gives whether it counts as looked at. */
function shown(height: number, ms: number): boolean {
  const conductor = createConductor(() => undefined);
  const pane = document.createElement('div');
  Object.defineProperty(pane, 'clientHeight', { value: 600 });
  Object.defineProperty(pane, 'scrollHeight', { value: height });
  renderHook(() => useOpened({ current: pane }, 'a'), {
    wrapper: ({ children }) => <ConductorContext value={conductor}>{children}</ConductorContext>,
  });
  vi.advanceTimersByTime(ms);
  return conductor.looks.seen({ id: 'a', hash: 'h', at: 0 }, ms).opened;
}

test('an item that is on screen whole for three seconds was looked at, a longer one was not', () => {
  expect(shown(600, 3000)).toBe(true);
  expect(shown(600, 2000)).toBe(false);
  expect(shown(900, 60_000)).toBe(false);
});
