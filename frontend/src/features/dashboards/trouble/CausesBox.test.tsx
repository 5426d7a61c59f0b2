// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { CausesBox } from './CausesBox.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const cause = (id: string, mended: number) => ({
  id,
  title: `Cause ${id}`,
  sample: '',
  graph: { id: 'g', name: 'Orders' },
  count: 2,
  retried: mended,
  mended,
  last_at: '2026-11-03T00:00:00Z',
});
const stretch = { since: '2026-11-03T00:00:00Z', until: '2026-11-04T00:00:00Z' };

test('causes are those of the chosen days, mended ones last, and muted ones leave a trace', async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    const query = new URL(address, 'http://test').searchParams;
    asked.push(query);
    const muted = query.get('state') === 'muted';
    const results = muted ? [] : [cause('a', 2), cause('b', 0)];
    return Promise.resolve(
      new Response(JSON.stringify({ results, next: null, total: 3, total_is_more: false }), {
        headers: { 'content-type': 'application/json' },
      }),
    );
  });
  show(<CausesBox stretch={stretch} />);

  const muted = await screen.findByRole('link', { name: '3 muted' });
  expect(muted).toHaveAttribute('href', '/runs/causes?state=muted');
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first).toHaveTextContent('Cause b');
  expect(second).toHaveTextContent('Mended · Orders');
  expect(asked.map((query) => query.get('since'))).toEqual([stretch.since, stretch.since]);
  expect(screen.getByRole('link', { name: 'Cause b' })).toHaveAttribute(
    'href',
    '/runs?cause=b&ended_since=2026-11-03T00%3A00%3A00Z&ended_until=2026-11-04T00%3A00%3A00Z',
  );
});
