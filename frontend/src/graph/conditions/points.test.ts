import { describe, expect, it } from 'vitest';
import { type Points, readPoints, writePoints } from './points.ts';

const usual: Points = {
  cases: [
    {
      when: { match: 'all', rows: [{ field: 'memory.amount', op: 'above', values: [1000] }] },
      points: 60,
    },
    {
      when: {
        match: 'any',
        rows: [
          { field: 'memory.customer', op: 'is', values: ["it's ? 5 : new"] },
          { field: 'input.first', op: 'is', values: [true] },
        ],
      },
      points: 80,
    },
  ],
  otherwise: 5,
};

describe('a number by cases', () => {
  it('is one expression, and comes back as it was', () => {
    const text = writePoints(usual);

    expect(text).toBe(
      "memory.amount > 1000 ? 60 : memory.customer == 'it\\'s ? 5 : new' || input.first == true ? 80 : 5",
    );
    expect(readPoints(text)).toEqual(usual);
    expect(readPoints('7')).toEqual({ cases: [], otherwise: 7 });
  });

  it('leaves out what is not whole yet, and is nothing without a case', () => {
    const blank = { match: 'all', rows: [{ field: '', op: 'is', values: [] }] } as const;
    expect(writePoints({ cases: [{ when: blank, points: 5 }], otherwise: 0 })).toBe('');
    expect(
      writePoints({
        cases: [...usual.cases.slice(0, 1), { when: blank, points: 5 }],
        otherwise: 0,
      }),
    ).toBe('memory.amount > 1000 ? 60 : 0');
  });

  it.each([
    '',
    'memory.risk',
    'memory.amount > 1000 ? 60',
    'memory.amount > 1000 ? 160 : 0',
    'memory.amount > 1000 ? 12.5 : 0',
    'memory.amount>1000 ? 60 : 0',
    '(memory.amount > 1000) ? 60 : 0',
    'memory.amount > 1000 ? 60 : 0 ',
    'memory.amount > 1000 ? 60 : memory.base',
    "memory.amount > 1000 ? '60' : 0",
    '0',
    '007',
    `${'memory.amount > 1 ? 60 : '.repeat(21)}0`,
    `${'memory.amount > 1 ? 60 : '.repeat(5_000)}0`,
  ])('that was written in another way is left as it is: %.60s', (text) => {
    expect(readPoints(text)).toBeNull();
  });
});
