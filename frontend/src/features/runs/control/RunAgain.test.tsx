// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunDetail } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { RunAgain } from './RunAgain.tsx';

const run = (more: Partial<RunDetail>) =>
  ({ id: 'r1', graph: { id: 'g1' }, is_draft: true, until: null, ...more }) as RunDetail;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['a draft', { input: 'hi' }, { input: 'hi', draft: true }],
  ['a version', { input: { a: 1 }, is_draft: false }, { input: { a: 1 } }],
  ['a run to a node', { input: null, until: 'b' }, { input: null, draft: true, until: 'b' }],
])('a run of %s is started anew with the same input', async (_, more, body) => {
  const calls = serve({ 'POST graphs/g1/runs/': { id: 'r2' } });
  show(<RunAgain run={run(more)} />);
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }));

  await waitFor(() => expect(calls.map((call) => call.body)).toEqual([body]));
});

test('a large input is fetched whole first', async () => {
  const $blob = 'ab'.repeat(32);
  const calls = serve({
    [`GET runs/r1/blobs/${$blob}/`]: 'all of it',
    'POST graphs/g1/runs/': { id: 'r2' },
  });
  show(<RunAgain run={run({ input: { $blob, bytes: 9 } })} />);
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }));

  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ input: 'all of it', draft: true }));
});
