import { expect, test } from 'vitest';
import { EventParser } from './eventStream.ts';

const text =
  ': run r\nretry: 2000\n\nid: 3\nevent: message\ndata: {"content":"a: b"}\n\nevent: delta\ndata: {}\n\n: still here\n\nid: 9\nevent: done\ndata: {}\n\n';
const events = [
  { id: '3', type: 'message', data: '{"content":"a: b"}' },
  { id: null, type: 'delta', data: '{}' },
  { id: '9', type: 'done', data: '{}' },
];

test('comments are left out, ids and types are read', () => {
  expect(new EventParser().push(text)).toEqual(events);
});

test('pieces may be cut anywhere', () => {
  const parser = new EventParser();
  expect([...text].flatMap((letter) => parser.push(letter))).toEqual(events);
});

test('an unfinished block is not an event', () => {
  const parser = new EventParser();
  expect(parser.push('id: 1\ndata: x\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ id: '1', type: 'message', data: 'x' }]);
});
