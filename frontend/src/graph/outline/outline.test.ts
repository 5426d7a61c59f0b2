import { describe, expect, it } from 'vitest';
import { withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { graph, nodeType } from '../document/testing.ts';
import { hasBelow, outlineOf, unfolded } from './outline.ts';
import { numbersOf, wordsOfRow } from './words.ts';

const types = new Map([
  ['step', nodeType('step')],
  ['crew', nodeType('crew', { worker: { type: 'string', 'x-widget': 'node' } })],
]);

/** The outline as indented text. */
function told(records: Records): string[] {
  const rows = outlineOf(records, types);
  const numbers = numbersOf(rows);
  return rows.map((row) => {
    const { number, title, rest } = wordsOfRow(row, records, types, numbers);
    const name = number ? `${number} ${title}` : title;
    return `${'  '.repeat(row.level - 1)}${[name, ...rest].join('; ')}`;
  });
}

const ANY = 'asks for any input';

describe('the outline', () => {
  it('tells a line on one level, in the order of a run', () => {
    expect(told(graph('b>c', '__start__>a', 'a>b', 'c>__end__'))).toEqual([
      `Start; ${ANY}`,
      '1 a',
      '2 b',
      '3 c; ends',
    ]);
  });

  it('tells ways below their node, and where they meet once, on the level where they parted', () => {
    const records = graph('__start__>a', 'a>b', 'a>c', 'a>d', 'b>x', 'x>d', 'c>d', 'd>e');

    expect(told(records)).toEqual([
      `Start; ${ANY}`,
      '1 a; 3 ways',
      '  Then',
      '    2 b',
      '    3 x; goes to 5',
      '  Then',
      '    4 c; goes to 5',
      '  Then; goes to 5',
      '5 d',
      '6 e; ends',
    ]);
  });

  it('stays flat where all ways but one lead elsewhere', () => {
    const records = withRecords(graph('__start__>a', 'a>b', 'a>z', 'b>c', 'b>z'), [
      { kind: 'edge', id: 'a>z', value: { id: 'a>z', source: 'a', target: 'z', on: 'failed' } },
    ]);

    expect(told(records)).toEqual([
      `Start; ${ANY}`,
      '1 a; 2 ways',
      '  Completed; goes to 2',
      '  Failed; goes to 4',
      '2 b; 2 ways',
      '  Then; goes to 3',
      '  Then; goes to 4',
      '3 c; ends',
      '4 z; ends',
    ]);
  });

  it('says which way leads back', () => {
    expect(told(graph('__start__>a', 'a>b', 'b>a', 'b>c'))).toEqual([
      `Start; ${ANY}`,
      '1 a',
      '2 b; 2 ways',
      '  Then; back to 1',
      '  Then; goes to 3',
      '3 c; ends',
    ]);
  });

  it('tells what no wire leads to last, and what a node runs below it', () => {
    const base = graph('__start__>a', 'a>b', 'x>y', 'y>b');
    const records = withRecords(base, [
      { kind: 'node', id: 'w', value: { id: 'w', type: 'step', label: 'w' } },
      {
        kind: 'node',
        id: 'a',
        value: { id: 'a', type: 'crew', label: 'a', config: { worker: 'w' } },
      },
    ]);

    expect(told(records)).toEqual([
      `Start; ${ANY}`,
      '1 a',
      '  2 w; run by the node above',
      '3 b; ends',
      'Not wired yet',
      '  4 x',
      '  5 y; goes to 3',
    ]);
  });

  it('has every node once, whatever the wires', () => {
    const ids = Array.from({ length: 9 }, (_, index) => `n${index}`);
    for (let seed = 1; seed <= 200; seed += 1) {
      let state = seed;
      const next = (below: number) => {
        state = (state * 48271) % 2147483647;
        return state % below;
      };
      const wires = Array.from({ length: 4 + next(14) }, () => {
        const source = next(10) === 0 ? '__start__' : (ids[next(9)] ?? '');
        return `${source}>${next(8) === 0 && source !== '__start__' ? '__end__' : ids[next(9)]}`;
      });
      const records = graph(...ids.map((id) => `${id}>__end__`), ...new Set(wires));
      const rows = outlineOf(records, types);
      const nodes = rows.filter((row) => row.kind === 'node').map((row) => row.id);

      expect(nodes.toSorted(), String(wires)).toEqual(ids);
      expect([...numbersOf(rows).values()]).toEqual(ids.map((_, index) => index + 1));
    }
  });

  it('folds what is below a row', () => {
    const rows = outlineOf(graph('__start__>a', 'a>b', 'a>c', 'b>d', 'c>d'), types);
    const at = rows.findIndex((row) => row.id === 'a');

    expect(hasBelow(rows, at)).toBe(true);
    expect(unfolded(rows, new Set(['node a'])).map((row) => row.id)).toEqual([
      '__start__',
      'a',
      'd',
    ]);
  });

  it('is quick for a line of five thousand nodes', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `n${index}`);
    const records = graph('__start__>n0', ...ids.slice(1).map((id, index) => `n${index}>${id}`));
    const before = performance.now();

    expect(outlineOf(records, types)).toHaveLength(5001);
    expect(performance.now() - before).toBeLessThan(3000);
  });
});

it('says what a node is and gives', () => {
  const records = withRecords(graph('__start__>a'), [
    {
      kind: 'node',
      id: 'a',
      value: { id: 'a', type: 'step', label: 'Classify', write_keys: ['level', 'score'] },
    },
  ]);
  const rows = outlineOf(records, types);

  const words = rows.map((row) => wordsOfRow(row, records, types, numbersOf(rows)));
  expect(words[1]).toEqual({
    number: '1',
    title: 'Classify',
    kind: 'step',
    rest: ['gives level, score', 'ends'],
  });
});

it('says that a node takes all that fit', () => {
  const records = withRecords(graph('__start__>a', 'a>b', 'a>c'), [
    { kind: 'node', id: 'a', value: { id: 'a', type: 'step', branching: 'all' } },
  ]);

  expect(told(records)[1]).toBe('1 a; takes all that fit; 2 ways');
});
