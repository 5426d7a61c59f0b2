import { expect, it } from 'vitest';
import type { Interrupt, JsonObject } from '../../../../api/types/types.ts';
import { emptyDraft } from '../../decide/answer.ts';
import { dropDraft, keepDraft } from '../../rhythm/drafts.ts';
import { commonReasons, compare, isPickable, MOST, sorted, whyNotMany } from './bulk.ts';

const item = (id: string, data: JsonObject, part: Partial<Interrupt> = {}) =>
  ({
    request_id: id,
    kind: 'approval',
    status: 'open',
    can_decide: true,
    my_decision: null,
    request: { data },
    ...part,
  }) as unknown as Interrupt;

it('is picked what waits for this person', () => {
  expect(isPickable(item('1', {}))).toBe(true);
  expect(isPickable(item('2', {}, { can_decide: false }))).toBe(false);
  expect(isPickable(item('3', {}, { my_decision: 'approved' }))).toBe(false);
  expect(isPickable(item('4', {}, { status: 'answered' }))).toBe(false);
});

it('says why nothing of what is picked is decided together', () => {
  const question = item('q', {}, { kind: 'text' });
  const careful = item('c', {}, { request: { data: {}, policy: { confirm: 'type' } } });

  expect(whyNotMany([question], 'approve')).toBe('This is a question: it needs an answer');
  expect(whyNotMany([careful], 'approve')).toBe('This one is approved by itself');
  expect(whyNotMany([careful, question], 'approve')).toMatch(/^None of these/);
  expect(whyNotMany([careful, question], 'reject')).toBeNull();
  expect(whyNotMany([question, item('1', {})], 'approve')).toBeNull();
});

it('shows in columns only what differs, and what is alike once', () => {
  const { columns, same } = compare([
    item('1', { customer: 'Nora', currency: 'USD', amount: 2087.7 }),
    item('2', { customer: 'Ivo', currency: 'USD', amount: 48.05 }),
  ]);

  expect(columns.map((column) => column.name)).toEqual(['customer', 'amount']);
  expect(same.map((one) => [one.label, one.value])).toEqual([['Currency', 'USD']]);
});

it('sums what is made of numbers, exactly, and nothing else', () => {
  const { columns } = compare([
    item('1', { amount: 0.1, price: '2.50', order: '17', note: 'a', n: 1 }),
    item('2', { amount: 0.2, price: '0.75', order: '18', note: 'b' }),
  ]);

  expect(Object.fromEntries(columns.map((one) => [one.name, one.sum]))).toEqual({
    amount: '0.3',
    price: '3.25',
    order: null,
    note: null,
    n: null,
  });
});

it('shows all of a single item, by the titles of its fields', () => {
  const { columns, same } = compare([item('1', { amount_due: 3 })], {
    amount_due: { type: 'number', title: 'To pay' },
  });

  expect([columns.map((one) => one.label), same]).toEqual([['To pay'], []]);
});

it('sorts what stays out of a decision by the reason for it', () => {
  const plain = item('1', {});
  const careful = item('c', {}, { request: { data: {}, policy: { confirm: 'type' } } });
  const asked = [item('q', {}, { kind: 'text' }), item('f', {}, { kind: 'form' })];

  const { decided, out } = sorted([plain, careful, ...asked], 'approve');

  expect(decided).toEqual([plain]);
  expect(out.map(({ why, items }) => [why.split(':')[0], items])).toEqual([
    ['approved only one by one, as its workflow says', [careful]],
    ['a question', asked],
  ]);
  expect(sorted([plain, careful], 'reject').out).toEqual([]);
  const many = sorted(
    Array(MOST + 2)
      .fill(0)
      .map((_, at) => item(String(at), {})),
    'reject',
  );
  expect([many.decided.length, many.out.map(({ items }) => items.length)]).toEqual([MOST, [2]]);
});

it('offers the reasons that all have in common', () => {
  const offering = (...reasons: string[]) => item('1', {}, { request: { data: {}, reasons } });

  expect(commonReasons([offering('Too much', 'Twice'), offering('Twice')])).toEqual(['Twice']);
  expect(commonReasons([offering('Too much'), offering('Twice')])).toEqual([]);
  expect(commonReasons([item('1', {})])).toContain('Against our rules');
});

it('approves nothing without what was edited of it, and rejects it all the same', () => {
  const editable = (id: string) =>
    item(
      id,
      { note: 'a' },
      { request: { data: { note: 'a' }, editable_keys: ['note'] }, not_mine_to_edit: {} },
    );
  const [plain, edited] = [editable('1'), editable('2')];
  keepDraft(edited, { ...emptyDraft(edited), inputs: { note: 'b' } }, 'edit');

  const { decided, out } = sorted([plain, edited], 'approve');
  expect([decided, out.map(({ items }) => items)]).toEqual([[plain], [[edited]]]);
  expect(out[0]?.why).toMatch(/^edited by you/);
  expect(whyNotMany([edited], 'approve')).toBe('You edited this one: approve it by itself');
  expect(sorted([plain, edited], 'reject').decided).toHaveLength(2);
  dropDraft('2');
});
