// @vitest-environment jsdom
import { notifications } from '@mantine/notifications';
import { cleanup, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { stubBrowser } from '../../../../store/testing.tsx';
import { TOLD_MS, useRunningOut } from './useRunningOut.tsx';

const show = vi.fn<typeof notifications.show>(() => '');
const hide = vi.fn<typeof notifications.hide>(() => '');

beforeEach(() => {
  stubBrowser();
  vi.spyOn(notifications, 'show').mockImplementation(show);
  vi.spyOn(notifications, 'hide').mockImplementation(hide);
  vi.useFakeTimers();
  vi.setSystemTime(new Date('2026-11-28T08:00:00Z'));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  show.mockClear();
  hide.mockClear();
});

const item = (id: string, minutes: number | null) =>
  ({
    request_id: id,
    kind: 'approval',
    node_label: 'Check',
    request: { prompt: 'Pay Nora?' },
    run: { title: '', graph: { name: 'Pay' } },
    expires_at: minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString(),
  }) as unknown as Interrupt;

interface Shown {
  item: Interrupt;
  active?: boolean;
  ask?: (() => void) | null;
}
const Pane = ({ item: one, active = true, ask = null }: Shown) => {
  useRunningOut(one, active, ask);
  return null;
};

test('who looks at an item is told five minutes before its deadline, once', () => {
  const asked = item('soon', 20);
  const { unmount } = render(<Pane item={asked} />);
  vi.advanceTimersByTime(20 * 60_000 - TOLD_MS - 1);
  expect(show).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(show.mock.lastCall?.[0].title).toBe('5 min left to decide this');
  unmount();
  expect(hide).toHaveBeenCalled();
  render(<Pane item={asked} />);
  vi.advanceTimersByTime(60_000);
  expect(show).toHaveBeenCalledTimes(1);
});

test('nobody is told of what they cannot decide, has no deadline, or is over', () => {
  render(<Pane item={item('not-mine', 6)} active={false} />);
  render(<Pane item={item('open-end', null)} />);
  render(<Pane item={item('over', -6)} />);
  vi.advanceTimersByTime(10 * 60_000);
  expect(show).not.toHaveBeenCalled();
});

test('a question back is offered where it stops the clock', () => {
  const ask = vi.fn();
  render(<Pane item={item('late', 0.5)} ask={ask} />);
  vi.advanceTimersByTime(0);
  const told = show.mock.lastCall?.[0];
  expect(told?.title).toBe('Less than a minute left to decide this');
  render(<MantineProvider env="test">{told?.message}</MantineProvider>);
  screen.getByRole('button', { name: 'Ask back' }).click();
  expect(ask).toHaveBeenCalled();
  expect(hide).toHaveBeenCalled();
});
