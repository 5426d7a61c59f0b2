import { expect, test } from 'vitest';
import type { Interrupt, ItemChange } from '../../../api/types/types.ts';
import { changesText, leavesOf } from '../../../run/values/edits.ts';
import { piecesOf } from './changes.ts';
import { closedText } from '../names.ts';

const change = (part: Partial<ItemChange>): ItemChange => ({
  key: 'amount',
  before: '77.08',
  after: '12.50',
  added: false,
  by: null,
  ...part,
});

test('a short change is told with both values, a long one by its name', () => {
  expect(
    changesText([change({}), change({ key: 'letter', before: 'a'.repeat(99), after: 'b' })]),
  ).toBe('amount 77.08 → 12.50, letter');
});

test('of a group the values that differ are told, by where they stand', () => {
  const edited = change({
    key: 'body',
    before: { amount: 250, to: { name: 'Ada', town: 'Bath' }, tags: ['a'] },
    after: { amount: 200, to: { name: 'Ada', town: 'York' }, tags: ['a'], note: 'less' },
  });
  expect(changesText([edited])).toBe(
    'body amount 250 → 200, body to town Bath → York, body note nothing → less',
  );
  expect(leavesOf(edited).map(({ key }) => key)).toEqual([
    'body amount',
    'body to town',
    'body note',
  ]);
  expect(changesText([change({ key: 'tags', before: ['a'], after: ['b'] })])).toBe(
    'tags ["a"] → ["b"]',
  );
});

test('text is compared word by word, a number as a whole', () => {
  const before = 'Dear Ada, you get 77.08 back within the next three days.';
  const pieces = piecesOf(change({ before, after: before.replace('77.08', '12.50') }));
  expect(
    pieces?.filter((piece) => piece.kind !== 'same').map((piece) => piece.text.trim()),
  ).toEqual(['77.08', '12.50']);
  expect(piecesOf(change({ before: 40, after: 25 }))).toEqual([
    { kind: 'removed', text: '40' },
    { kind: 'added', text: '25' },
  ]);
});

test('what was not there has nothing before, and what is stored apart is not compared', () => {
  expect(piecesOf(change({ added: true, before: null }))).toEqual([
    { kind: 'added', text: '12.50' },
  ]);
  expect(piecesOf(change({ before: { $blob: 'a'.repeat(64), bytes: 900_000 } }))).toBeNull();
});

test('an approval with edits says who edited, where that was somebody else', () => {
  const [ada, grace] = [
    { id: 'a', name: 'Ada' },
    { id: 'g', name: 'Grace' },
  ];
  const decided = {
    by: ada,
    at: '',
    decision: 'approved',
    comment: null,
    answer: 'approved',
    edits: { amount: 12.5 },
  };
  const item = (...changes: ItemChange[]) =>
    closedText({ decided, changes, request: {} } as unknown as Interrupt);

  expect(item(change({ by: ada }))).toBe('Ada approved this with edits: Amount 77.08 → 12.50');
  expect(item(change({ by: grace }))).toBe(
    'Ada approved this with edits by Grace: Amount 77.08 → 12.50',
  );
  expect(item(change({ by: ada }), change({ key: 'letter', by: grace }))).toContain(
    'with edits by Ada and Grace: ',
  );
});

test('a sentence differs word by word, a name and a sum as a whole', () => {
  const sentence = piecesOf(
    change({ before: 'Pay 40 to Nora Marsh?', after: 'Pay 25 to Nora Marsh?' }),
  );

  expect(sentence?.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: '40' },
    { kind: 'added', text: '25' },
  ]);
  expect(piecesOf(change({ before: 'Nora Marsh', after: 'Norbert Marsh' }))).toEqual([
    { kind: 'removed', text: 'Nora Marsh' },
    { kind: 'added', text: 'Norbert Marsh' },
  ]);
});
