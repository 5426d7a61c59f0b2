// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListFrame } from './ListFrame.tsx';

const list = {
  data: undefined,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
  isPending: false,
  isError: false,
  isSuccess: false,
  error: null,
  refetch: vi.fn(),
};
const show = (part: Partial<Parameters<typeof ListFrame>[0]['list']>) =>
  render(
    <MantineProvider>
      <ListFrame list={{ ...list, ...part }} none="Nothing here">
        Rows
      </ListFrame>
    </MantineProvider>,
  );

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('says that a list failed, and asks again', () => {
  show({ isError: true, error: new Error('gone') });

  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  expect(list.refetch).toHaveBeenCalledOnce();
  expect(screen.queryByText('Nothing here')).toBeNull();
});

it('says that nothing is in it once that is known, and how many there are', () => {
  const of = (results: unknown[]) => ({ pages: [{ results, next: null }] });

  show({ isSuccess: true, data: of([]) });
  expect(screen.getByText(/Nothing here/)).toBeTruthy();
  cleanup();
  show({ isSuccess: true, data: of([1, 2]) });
  expect(screen.getByRole('status').textContent).toBe('2 in all');
});
