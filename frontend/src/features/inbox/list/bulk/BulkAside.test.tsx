// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { BulkAside } from './BulkAside.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const item = (id: string, expires_at: string | null = null) =>
  ({
    request_id: id,
    kind: 'approval',
    node_label: 'Check',
    expires_at,
    eligible: [],
    run: { title: '', graph: { name: 'Pay' } },
    request: { prompt: `Pay ${id}?` },
  }) as unknown as Interrupt;

const claim = (items: Interrupt[]) => {
  const onDone = vi.fn();
  show(<BulkAside items={items} verb="claim" onClose={vi.fn()} onDone={onDone} />);
  fireEvent.click(screen.getByRole('button', { name: 'Claim' }));
  return onDone;
};

test('what is picked goes in one request', async () => {
  const results = ['a', 'b', 'c'].map((id) => ({ id, state: 'claimed' }));
  const calls = serve({ 'POST interrupts/claim/': { results } });
  const onDone = claim(['a', 'b', 'c'].map((id) => item(id)));

  await waitFor(() => expect(onDone).toHaveBeenCalledWith([]));
  const sent = calls.filter(({ method }) => method === 'POST');
  expect(sent).toEqual([
    { method: 'POST', path: 'interrupts/claim/', body: { ids: ['a', 'b', 'c'] } },
  ]);
});

test('what stayed as it was is named with its reason, and stays picked', async () => {
  const results = [
    { id: 'a', state: 'claimed' },
    { id: 'b', state: 'refused', detail: 'Rita has claimed this' },
  ];
  serve({ 'POST interrupts/claim/': { results } });
  const onDone = claim([item('a'), item('b')]);

  expect(await screen.findByRole('dialog', { name: '1 item claimed' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('1 item stayed as it was');
  expect(screen.getByRole('listitem')).toHaveTextContent('Pay b: Rita has claimed this');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onDone).toHaveBeenCalledWith(['b']);
});

test('what was sent is counted, also where it has left the list since', async () => {
  const results = [
    { id: 'a', state: 'snoozed' },
    { id: 'b', state: 'refused', detail: 'It ends too soon' },
  ];
  serve({ 'POST interrupts/snooze/': { results } });
  const dialog = (items: Interrupt[]) => (
    <BulkAside items={items} verb="snooze" onClose={vi.fn()} onDone={vi.fn()} />
  );
  const { rerender } = show(dialog([item('a'), item('b')]));
  fireEvent.click(screen.getByRole('button', { name: 'In an hour' }));
  await screen.findByRole('alert');
  rerender(dialog([]));

  expect(screen.getByRole('dialog', { name: '1 item snoozed' })).toBeInTheDocument();
  expect(screen.getByRole('listitem')).toHaveTextContent('Pay b: It ends too soon');
});

test('one that ends soon keeps the others from no snooze', () => {
  const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const dialog = (items: Interrupt[]) => (
    <BulkAside items={items} verb="snooze" onClose={vi.fn()} onDone={vi.fn()} />
  );
  const { rerender } = show(dialog([item('a', soon(20)), item('b', soon(90))]));
  expect(screen.getByRole('button', { name: 'In an hour' })).toBeInTheDocument();
  rerender(dialog([item('a', soon(20))]));
  expect(screen.getByText('They end too soon to be snoozed.')).toBeInTheDocument();
});
