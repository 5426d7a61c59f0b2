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
    run: { id: 'r', title: '', graph: { id: 'g', name: 'Pay' } },
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

const noCourier = {} as Desk['courier'];

test('what stays out of it is counted and named with the reason', () => {
  serve({});
  const question = {
    ...item('q'),
    kind: 'text',
    request: { question: 'Which bank?' },
  } as Interrupt;
  const items = [item('a'), item('b'), question];
  show(<BulkDialog items={items} verb="approve" courier={noCourier} onClose={vi.fn()} />);

  expect(screen.getByRole('dialog', { name: 'Approve 2 of 3 items?' })).toBeInTheDocument();
  const told = screen.getByRole('alert');
  expect(told).toHaveTextContent('1 item stays out');
  expect(told).toHaveTextContent('1 is a question: it needs an answer of its own');
  expect(screen.getByRole('link', { name: 'Which bank' })).toHaveAttribute('href', '/inbox/q');
});

test('the reasons that all offer are at hand for a rejection of many', () => {
  serve({});
  const offering = (id: string, ...reasons: string[]) =>
    ({ ...item(id), request: { prompt: `Pay ${id}?`, data: {}, reasons } }) as Interrupt;
  const items = [offering('a', 'Twice', 'Late'), offering('b', 'Twice')];
  show(<BulkDialog items={items} verb="reject" courier={noCourier} onClose={vi.fn()} />);
  fireEvent.click(screen.getByLabelText('Twice'));

  expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveValue('Twice');
  expect(screen.queryByLabelText('Late')).toBeNull();
});

test('items of each step stand in a table of their own, with its fields', () => {
  serve({});
  const of = (id: string, node: string, data: object) =>
    ({ ...item(id), node, node_label: node, request: { prompt: `Pay ${id}?`, data } }) as Interrupt;
  const items = [of('a', 'Check', { sum: 1 }), of('b', 'Sign', { due: '2026-11-23' })];
  show(<BulkDialog items={items} verb="approve" courier={noCourier} onClose={vi.fn()} />);

  const heads = screen
    .getAllByRole('table')
    .map((table) => [...table.querySelectorAll('th')].map((head) => head.textContent));
  expect(heads).toEqual([
    ['Item', 'Sum'],
    ['Item', 'Due'],
  ]);
  expect(screen.getByRole('table', { name: 'Pay, Check' })).toBeInTheDocument();
  expect(screen.getByText('2026-11-23')).toHaveAttribute('data-date');
});

test('a sum that was given at the start is shown as a sum', async () => {
  const money = { type: 'number', format: 'money', 'x-unit': 'USD' };
  const document = { interface: { inputs: { properties: { pay: money } } } };
  serve({ 'GET runs/r/': { id: 'r', document } });
  const paying = (id: string, pay: number) =>
    ({ ...item(id), request: { prompt: 'Pay?', data: { 'input.pay': pay } } }) as Interrupt;
  const items = [paying('a', 20.25), paying('b', 4403.9)];
  show(<BulkDialog items={items} verb="approve" courier={noCourier} onClose={vi.fn()} />);

  expect(await screen.findByText('$4,403.90')).toBeInTheDocument();
  expect(screen.getByText('$4,424.15')).toBeInTheDocument();
});
