import { expect, it } from 'vitest';
import { type Piece, textDiff } from './textDiff.ts';

/** The text that is left when the pieces of one kind are taken out. */
const without = (pieces: readonly Piece[], kind: Piece['kind']) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('');

it('shows which words went and came, and leaves the rest as it is', () => {
  expect(textDiff('Refund the sum', 'Refund half the sum')).toEqual([
    { kind: 'same', text: 'Refund ' },
    { kind: 'added', text: 'half ' },
    { kind: 'same', text: 'the sum' },
  ]);
  expect(textDiff('Refund it', 'Keep it')).toEqual([
    { kind: 'removed', text: 'Refund' },
    { kind: 'added', text: 'Keep' },
    { kind: 'same', text: ' it' },
  ]);
});

it('says nothing of equal texts, and everything of an empty one', () => {
  expect(textDiff('a b', 'a b')).toEqual([{ kind: 'same', text: 'a b' }]);
  expect(textDiff('', 'a b')).toEqual([{ kind: 'added', text: 'a b' }]);
  expect(textDiff('a b', '')).toEqual([{ kind: 'removed', text: 'a b' }]);
  expect(textDiff('', '')).toEqual([]);
});

it.each([
  ['words', 'one two three', 'two  three four'],
  ['lines of a long text', 'a b c d e\n'.repeat(300), `first\n${'a b c d e\n'.repeat(299)}last`],
  ['a very long text', 'a\n'.repeat(3000), 'b\n'.repeat(3000)],
])('loses nothing of either text: %s', (_, before, after) => {
  const pieces = textDiff(before, after);

  expect(without(pieces, 'added')).toBe(before);
  expect(without(pieces, 'removed')).toBe(after);
});

it('compares a long text by lines: a changed word shows its whole line', () => {
  const before = 'a b c d e\n'.repeat(300);
  const after = `${'a b c d e\n'.repeat(299)}a b c d x\n`;

  expect(textDiff(before, after).filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'a b c d e\n' },
    { kind: 'added', text: 'a b c d x\n' },
  ]);
});
