// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { Ahead } from '../../ahead/Ahead.tsx';
import { untouched } from '../../testing.ts';
import { PartOf } from './PartOf.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const item = {
  ...untouched,
  request_id: 'i',
  kind: 'approval',
  status: 'open',
  content_hash: 'h',
  quorum: null,
  run: { id: 'r' },
  request: { prompt: 'Send it?', data: {} },
} as unknown as Interrupt;
const ends = { steps: [], ends: 'failed', why: null, passes: [] };
const served = (parent: string | null) =>
  serve({
    'GET runs/r/': { id: 'r', parent_run: parent, graph: { name: 'Ask' } },
    'GET runs/p/': { id: 'p', parent_run: null, graph: { name: 'Ship all' } },
    'POST interrupts/i/foresee/': ends,
  });

test('an item of a run that another one called names it, and what of it ends', async () => {
  served('p');
  show(
    <>
      <PartOf item={item} />
      <Ahead item={item} edits="" />
    </>,
  );

  expect(await screen.findByRole('link', { name: 'Ship all' })).toHaveAttribute('href', '/runs/p');
  const told = await screen.findAllByText('Nothing is sent; this part of the larger run ends.');
  expect(told).not.toHaveLength(0);
});

test('a run of its own is no part', async () => {
  served(null);
  show(
    <>
      <PartOf item={item} />
      <Ahead item={item} edits="" />
    </>,
  );

  expect(await screen.findAllByText('Nothing is sent; the run ends.')).not.toHaveLength(0);
  expect(screen.queryByText(/part of/)).toBeNull();
});
