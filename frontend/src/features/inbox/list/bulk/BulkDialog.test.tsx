// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import type { Desk } from '../../rhythm/useDesk.ts';
import { BulkDialog } from './BulkDialog.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const item = (id: string) =>
  ({
    request_id: id,
    kind: 'approval',
    status: 'open',
    can_decide: true,
    my_decision: null,
    node_label: 'Check',
    expires_at: null,
    eligible: [],
    places: [],
    claim: null,
    quorum: null,
    run: { id: 'r', title: '', graph: { name: 'Pay' } },
    request: { prompt: `Pay ${id}?`, data: {} },
  }) as unknown as Interrupt;

test('what was sent is counted, also where it has left the list since', async () => {
  serve({});
  const results = [
    { id: 'a', state: 'decided' },
    { id: 'b', state: 'refused', detail: 'Rita was first' },
  ];
  const courier = { sendMany: () => Promise.resolve(results) } as unknown as Desk['courier'];
  const dialog = (items: Interrupt[]) => (
    <BulkDialog items={items} verb="approve" courier={courier} onClose={vi.fn()} />
  );
  const { rerender } = show(dialog([item('a'), item('b')]));
  fireEvent.click(screen.getByRole('button', { name: /^Approve all/ }));
  await screen.findByText(/stayed as it was/);
  rerender(dialog([]));

  expect(screen.getByRole('dialog', { name: '1 item decided' })).toBeInTheDocument();
  expect(screen.getByRole('listitem')).toHaveTextContent('Pay b: Rita was first');
});
