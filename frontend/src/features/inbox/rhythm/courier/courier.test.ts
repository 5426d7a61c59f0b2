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

test('what went otherwise is told after the title, without the mark that ends it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')));
  const tell = vi.fn<(title: string, text: string) => void>();
  new Courier({
    client: new QueryClient(),
    dispatch: () => undefined,
    held: () => [],
    window: () => 8_000,
    titleOf: () => 'Pay 700.00 EUR.',
    tell,
  }).send('a', 'approve', { token: 't', decision: 'approved' });

  await vi.waitFor(() => expect(tell).toHaveBeenCalled(), 10_000);

  expect(tell.mock.calls[0]?.[1]).toMatch(/^Pay 700\.00 EUR: /);
});

test('one that is too long for that is sent all the same', () => {
  expect(asked('x'.repeat(100_000))).toMatchObject({ keepalive: false });
});
