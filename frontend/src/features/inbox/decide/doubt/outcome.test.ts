import { describe, expect, it } from 'vitest';
import { outcomeInWords, readOutcome, readStatus } from './outcome.ts';

describe('what somebody writes down of an answer', () => {
  it.each([
    ['', null, 'without an answer'],
    ['{"id": 7, "paid": true}', { id: 7, paid: true }, 'the fields id, paid'],
    ['[1, 2]', [1, 2], 'a list of 2'],
    ['7', 7, 'with 7'],
    ['"7"', '7', 'this text'],
    ['Order 4711 is booked', 'Order 4711 is booked', 'this text'],
    ['12 pieces', '12 pieces', 'this text'],
  ])('reads %s', (typed, value, words) => {
    const read = readOutcome(typed);

    expect(read).toEqual({ value, problem: null });
    expect(outcomeInWords(read)).toContain(words);
  });

  it.each(['{"id": 7', '[1,', '"open', '{id: 7}'])('asks about %s', (typed) => {
    const read = readOutcome(typed);

    expect(read.problem).toContain('begins like JSON');
    expect(outcomeInWords(read)).toBe('');
  });

  it('takes the status of an answer that arrived', () => {
    expect(['200', ' 201 ', '302'].map(readStatus)).toEqual([200, 201, 302]);
    expect(['', '404', '500', '99', '2e2', 'ok'].map(readStatus)).toEqual(Array(6).fill(null));
  });
});
