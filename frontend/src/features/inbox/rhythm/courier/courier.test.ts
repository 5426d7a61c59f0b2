import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { Courier } from './courier.ts';

const asked = (comment: string): RequestInit | undefined => {
  const fetched = vi.fn<typeof fetch>(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetched);
  new Courier({
    client: new QueryClient(),
    dispatch: () => undefined,
    held: () => [],
    window: () => 8_000,
    titleOf: () => '',
    tell: () => undefined,
  }).send('a', 'approve', { token: 't', decision: 'approved', comment });
  return fetched.mock.calls[0]?.[1];
};

afterEach(() => vi.unstubAllGlobals());

test('a decision is sent on when its page is closed at once', () => {
  expect(asked('')).toMatchObject({ keepalive: true });
});

test('one that is too long for that is sent all the same', () => {
  expect(asked('x'.repeat(100_000))).toMatchObject({ keepalive: false });
});
