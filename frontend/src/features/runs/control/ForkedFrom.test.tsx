// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { ForkedFrom } from './ForkedFrom.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a fork names the run and the step that it goes on from, and leads there', async () => {
  const former = {
    id: 'r1',
    title: 'Invoice 17',
    graph: { id: 'g1', name: 'Pay' },
    started_at: '2026-11-20T10:00:00Z',
    document: { nodes: [{ id: 'n7', type: 'agent', label: 'Check the sum' }], edges: [] },
  };
  const events = [{ seq: 7, type: 'NodeStarted', node: 'n7' }];
  serve({ 'GET runs/r1/': former, 'GET runs/r1/events/': { events, head: 9 } });
  const { container } = show(<ForkedFrom id="r1" seq={7} />);

  expect(screen.getByRole('link', { name: 'another run' })).toHaveAttribute('href', '/runs/r1');
  expect(await screen.findByRole('link', { name: 'Invoice 17' })).toHaveAttribute(
    'href',
    '/runs/r1',
  );
  await waitFor(() => expect(container).toHaveTextContent('Invoice 17 at Check the sum ('));
});
