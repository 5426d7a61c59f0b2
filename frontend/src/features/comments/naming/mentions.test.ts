import { expect, it } from 'vitest';
import { askedAt, meant, named, namedIn, piecesOf, stillNamed } from './mentions.ts';

const ann = { id: 'a', name: 'Ann Author' };
const bob = { id: 'b', name: 'Bob' };
const bobby = { id: 'c', name: 'Bobby Tables' };

it('asks for a name after an @ that begins a word, not in an address', () => {
  expect(askedAt('Hello @bo', 9)).toEqual({ from: 6, word: 'bo' });
  expect(askedAt('@', 1)).toEqual({ from: 0, word: '' });
  expect(askedAt('mail ann@example', 16)).toBeNull();
  expect(askedAt('no name', 4)).toBeNull();
  expect(askedAt('@Bob  then', 10)).toBeNull();
});

it('finds people by the beginning of any part of their name', () => {
  expect(meant([ann, bob, bobby], 'tab')).toEqual([bobby]);
  expect(meant([ann, bob, bobby], 'BOB')).toEqual([bob, bobby]);
});

it('puts the whole name where it was typed, with the cursor behind it', () => {
  expect(named('Ask @an today', { from: 4, word: 'an' }, ann)).toEqual({
    text: 'Ask @Ann Author today',
    caret: 16,
  });
});

it('tells only those whom the text still names', () => {
  expect(stillNamed('For @Bob alone', [ann, bob])).toEqual([bob]);
});

it('shows names and addresses, and everything else as text', () => {
  const text = '@Bobby Tables, see https://example.com/a?b=1. <b>no</b> javascript:alert(1)';

  expect(piecesOf(text, [bob, bobby])).toEqual([
    { kind: 'mention', text: '@Bobby Tables' },
    { kind: 'text', text: ', see ' },
    { kind: 'link', text: 'https://example.com/a?b=1' },
    { kind: 'text', text: '. <b>no</b> javascript:alert(1)' },
  ]);
});

it('is quick with a text full of half an address', () => {
  const began = performance.now();
  piecesOf('http://'.repeat(600) + '@'.repeat(2_000), [ann]);
  expect(performance.now() - began).toBeLessThan(500);
});

it('names who was written by hand, but of several of one name only who was picked', () => {
  const other = { id: 'd', name: 'Bob' };
  const all = [ann, bob, bobby];
  expect(namedIn('@Bobby Tables, ask (@Bob)', [], all)).toEqual([bobby, bob]);
  expect(namedIn('mail@Bob and @Bobbies', [], all)).toEqual([]);
  expect(namedIn('@Bob, please', [], [...all, other])).toEqual([]);
  expect(namedIn('@Bob, please', [other], [...all, other])).toEqual([other]);
});

it('reads each name a few times, however many signs there are, and no more than can be sent', () => {
  let read = 0;
  const many = Array.from({ length: 500 }, (_, index) => ({
    id: `${index}`,
    get name() {
      read += 1;
      return `Person ${index}`;
    },
  }));

  expect(namedIn('( @ '.repeat(250_000), [], many)).toEqual([]);
  expect(read).toBeLessThan(2_000);
  expect(namedIn(`${'@ '.repeat(5_000)}@Bob`, [], [bob])).toEqual([]);
});
