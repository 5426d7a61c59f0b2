import { expect, test } from 'vitest';
import { cursorAt, nowhere, type Opened, openedIn, stepFrom } from './selection.ts';

const unopened: Opened = { id: null, search: '' };
const list = ['a', 'b', 'c', 'd', 'e'];

test('the first item is open until another is chosen, whatever arrives on top of it', () => {
  const first = openedIn(unopened, list, '');

  expect(first.id).toBe('a');
  expect(openedIn(first, ['new', ...list], '')).toBe(first);
  expect(openedIn(first, ['newer', 'new', ...list], '').id).toBe('a');
});

test('it stays open when it was decided and has left the list', () => {
  const first = openedIn(unopened, list, '');

  expect(openedIn(first, ['b', 'c'], '')).toBe(first);
  expect(openedIn(first, [], '')).toBe(first);
});

test('an inbox that was empty opens what arrives, and another view opens its own first', () => {
  expect(openedIn(unopened, [], '')).toBe(unopened);
  expect(openedIn(unopened, ['a'], '').id).toBe('a');
  expect(openedIn({ id: 'a', search: '' }, ['m'], '?view=mine')).toEqual({
    id: 'm',
    search: '?view=mine',
  });
  expect(openedIn({ id: 'a', search: '' }, [], '?view=mine').id).toBeNull();
});

test('J and K go one on and one back, and stay at the ends', () => {
  const at = (id: string) => cursorAt(id, list, nowhere);

  expect([stepFrom(at('b'), list, 1), stepFrom(at('b'), list, -1)]).toEqual(['c', 'a']);
  expect([stepFrom(at('e'), list, 1), stepFrom(at('a'), list, -1)]).toEqual(['e', 'a']);
  expect([stepFrom(nowhere, list, 1), stepFrom(nowhere, [], 1)]).toEqual(['a', null]);
});

test('after a decision J opens what took its place, and K what stands above it', () => {
  const left = ['a', 'b', 'd', 'e'];
  const decided = cursorAt('c', left, cursorAt('c', list, nowhere));

  expect([stepFrom(decided, left, 1), stepFrom(decided, left, -1)]).toEqual(['d', 'b']);
});

test('the place is that between its neighbours, however many items arrive or leave meanwhile', () => {
  const decided = cursorAt('c', list, nowhere);
  const later = ['x', 'y', 'z', 'a', 'b', 'e'];

  expect([stepFrom(decided, later, 1), stepFrom(decided, later, -1)]).toEqual(['e', 'b']);
});

test('after the last of the list J goes to the one above it, and nowhere when none is left', () => {
  const decided = cursorAt('e', list, nowhere);

  expect(stepFrom(decided, ['x', 'a', 'b', 'd'], 1)).toBe('d');
  expect(stepFrom(decided, [], 1)).toBeNull();
});

test('the rhythm A, J, A, J passes every item once', () => {
  let ids = list;
  let cursor = cursorAt('a', ids, nowhere);
  const decided: (string | null)[] = [];
  for (let turn = 0; turn < list.length; turn += 1) {
    decided.push(cursor.id);
    ids = ['new', ...ids.filter((id) => id !== cursor.id && id !== 'new')];
    cursor = cursorAt(cursor.id, ids, cursor);
    cursor = cursorAt(stepFrom(cursor, ids, 1), ids, cursor);
  }

  expect(decided).toEqual(list);
});

test('presses that come faster than the page is drawn count each', () => {
  let cursor = cursorAt('a', list, nowhere);
  for (let press = 0; press < 3; press += 1)
    cursor = cursorAt(stepFrom(cursor, list, 1), list, cursor);

  expect(cursor.id).toBe('d');
});

test('an item that was opened by its address and is not listed has the list after it', () => {
  const cursor = cursorAt('elsewhere', list, nowhere);

  expect(stepFrom(cursor, list, 1)).toBe('a');
});
