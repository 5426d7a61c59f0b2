// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { AheadOfMany } from './AheadOfMany.tsx';

const item = (id: string, node: string) =>
  ({
    request_id: id,
    kind: 'approval',
    status: 'open',
    node,
    node_label: node,
    content_hash: id,
    quorum: null,
    run: { graph: { id: 'g' } },
  }) as unknown as Interrupt;
const pay = {
  node: 'pay',
  label: 'Pay the money',
  does: 'tool',
  call: { tool: 'pay', arguments: { order: 'R-1' } },
  effect_class: 'unsafe',
  dangerous: false,
  undo: false,
};

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('many decisions tell of each step what follows, and that it cannot be taken back', async () => {
  serve({
    'POST interrupts/a/foresee/': { steps: [pay], ends: null, why: null, passes: [] },
    'POST interrupts/c/foresee/': { steps: [], ends: 'completed', why: null, passes: [] },
  });
  show(
    <AheadOfMany
      items={[item('a', 'Check'), item('b', 'Check'), item('c', 'Note')]}
      verb="approve"
    />,
  );

  // Each step is a question of its own: the answers may come in either order.
  const note = await screen.findByText(/The run is done then/);
  const told = await screen.findByText(/Pay the money calls the tool pay/);
  expect(told).toHaveTextContent(
    '2 × Check. For example, the first: Pay the money calls the tool pay.',
  );
  expect(screen.getByText('Cannot be taken back')).toBeVisible();
  expect(note).toHaveTextContent('1 × Note. The run is done then.');
});
