// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useNow } from './useNow.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a time that stood is right again at once when it moves on', () => {
  vi.useFakeTimers({ now: 10_000 });
  const { result, rerender } = renderHook(({ active }) => useNow(active), {
    initialProps: { active: false },
  });
  act(() => vi.advanceTimersByTime(60_000));
  expect(result.current).toBe(10_000);

  rerender({ active: true });
  act(() => vi.advanceTimersByTime(1));
  expect(result.current).toBeGreaterThanOrEqual(70_000);
});
