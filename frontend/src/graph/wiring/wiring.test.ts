import { describe, expect, it } from 'vitest';
import { diff, withRecords } from '../document/diff.ts';
import type { DraftEdge, Records } from '../document/document.ts';
import { graph } from '../document/testing.ts';
import { addNode, connect, renameNode } from '../editing/operations.ts';
import { nodeType } from '../document/testing.ts';
import { removeTidily } from './healing.ts';
import { canReroute, moveInOrder, reroute, rivals } from './rewire.ts';
import { toldOf } from './told.ts';
import { wayOn, wiresOf } from './ways.ts';

const wires = (records: Records) =>
  [...records.edges.values()].map(({ source, target }) => `${source}>${target}`);
const edit = (records: Records, id: string, change: Partial<DraftEdge>) =>
  withRecords(records, [
    { kind: 'edge', id, value: { ...records.edges.get(id), ...change } as DraftEdge },
  ]);
const none = () => [];

describe('removing', () => {
  it('joins the neighbours where one way in meets one way out', () => {
    const line = graph('__start__>a', 'a>b', 'b>c');

    expect(wires(removeTidily(line, new Set(['b'])))).toEqual(['__start__>a', 'a>c']);
    expect(wires(removeTidily(line, new Set(['a', 'b'])))).toEqual(['__start__>c']);
    expect(wires(removeTidily(line, new Set(['a', 'b', 'c'])))).toEqual([]);
  });

  it('keeps the condition of the way in', () => {
    const line = edit(graph('a>b', 'b>c'), 'a>b', { condition: 'memory.x' });

    const [edge] = removeTidily(line, new Set(['b'])).edges.values();
    expect(edge).toMatchObject({ source: 'a', target: 'c', condition: 'memory.x' });
  });

  it('joins nothing where ways part or meet, where only a failure leads on, or a wire was chosen too', () => {
    const fork = graph('a>b', 'b>c', 'b>d');
    const join = graph('a>c', 'b>c', 'c>d');
    const failing = edit(graph('a>b', 'b>c'), 'b>c', { on: 'failed' });
    const cut = removeTidily(graph('a>b', 'b>c'), new Set(['b', 'b>c']));

    expect(wires(removeTidily(fork, new Set(['b'])))).toEqual([]);
    expect(wires(removeTidily(join, new Set(['c'])))).toEqual([]);
    expect(wires(removeTidily(failing, new Set(['b'])))).toEqual([]);
    expect(wires(cut)).toEqual([]);
  });
});

describe('removing one of two branches', () => {
  const pair = graph('a>b', 'a>c', 'b>d', 'c>d');

  it('joins nothing where the branch beside it leads to the same node', () => {
    expect(wires(removeTidily(pair, new Set(['b'])))).toEqual(['a>c', 'c>d']);
    expect(wires(removeTidily(graph('a>b', 'a>c', 'c>e', 'b>d', 'e>d'), new Set(['b'])))).toEqual([
      'a>c',
      'c>e',
      'e>d',
    ]);
    expect(wires(removeTidily(graph('a>b', 'b>__end__', 'a>__end__'), new Set(['b'])))).toEqual([
      'a>__end__',
    ]);
  });

  it('joins what is left of a longer branch, down to where the ways part', () => {
    const long = graph('f>a', 'a>b', 'b>d', 'f>c', 'c>d');

    expect(wires(removeTidily(long, new Set(['b'])))).toContain('a>d');
    expect(wires(removeTidily(long, new Set(['a', 'b'])))).toEqual(['f>c', 'c>d']);
  });

  it('joins the way on beside one for failures, and one that leads elsewhere', () => {
    const failing = edit(pair, 'a>c', { on: 'failed' });

    expect(wires(removeTidily(failing, new Set(['b'])))).toContain('a>d');
    expect(wires(removeTidily(graph('a>b', 'a>c', 'b>d'), new Set(['b'])))).toContain('a>d');
  });

  it('ends in a loop', () => {
    const loop = graph('a>b', 'b>c', 'c>a', 'a>x', 'x>a');

    expect(wires(removeTidily(loop, new Set(['b'])))).toContain('a>c');
  });
});

describe('a wire', () => {
  it('ends elsewhere and says the same', () => {
    const fork = edit(graph('a>b', 'a>c', 'c>d'), 'a>b', { when: 'senior' });

    expect(reroute(fork, 'a>b', 'd').edges.get('a>b')).toMatchObject({
      target: 'd',
      when: 'senior',
    });
    expect(reroute(fork, 'a>b', 'gone')).toBe(fork);
    expect(canReroute(fork, 'a>b', 'b')).toBe(false);
    expect(canReroute(fork, 'a>c', '__end__')).toBe(true);
    expect(canReroute(graph('__start__>a'), '__start__>a', '__end__')).toBe(false);
  });

  it('is no second one of what is there', () => {
    expect(canReroute(graph('a>b', 'a>c'), 'a>b', 'c')).toBe(false);
  });

  it('is tried sooner or later, and silent again where the document says the order', () => {
    const fork = graph('a>b', 'a>c', 'a>d');
    const sooner = moveInOrder(fork, 'a>d', -1);

    expect(rivals(sooner, 'a>d')).toEqual(['a>b', 'a>d', 'a>c']);
    expect(sooner.edges.get('a>d')?.priority).toBe(1);
    expect(sooner.edges.get('a>c')?.priority).toBe(2);
    const back = moveInOrder(sooner, 'a>d', 1);
    expect(diff(fork, back)).toEqual([]);
    expect(moveInOrder(fork, 'a>b', -1)).toBe(fork);
  });

  it('has no rivals among those of another outcome, nor at the start', () => {
    const records = edit(graph('__start__>a', 'a>b', 'a>c'), 'a>c', { on: 'failed' });

    expect(rivals(records, 'a>b')).toEqual(['a>b']);
    expect(rivals(records, '__start__>a')).toEqual([]);
  });

  it('is chosen after those that are tried sooner, and before those that arrive', () => {
    const records = edit(graph('z>a', 'a>b', 'a>c'), 'a>b', { priority: 3 });

    expect(wiresOf(records, 'a').map(({ id }) => id)).toEqual(['a>c', 'a>b', 'z>a']);
  });
});

it('goes on by a free port, tokens before the rest, failures never', () => {
  const ports = [
    { id: 'completed', label: 'Completed', kind: 'completed' as const },
    { id: 'failed', label: 'Failed', kind: 'failed' as const },
  ];
  const tokens = [
    { id: 'when:pass', label: 'Pass', kind: 'completed' as const, when: 'pass' },
    { id: 'when:fail', label: 'Fail', kind: 'completed' as const, when: 'fail' },
  ];

  expect(wayOn(graph('a>b'), 'a', ports)).toEqual({ port: 'completed', free: false });
  expect(wayOn(graph('b>a'), 'a', tokens)).toEqual({ port: 'when:pass', free: true });
});

describe('what is said of a gesture', () => {
  const said = (before: Records, after: Records) => toldOf(diff(before, after), after, none);
  const line = graph('__start__>a', 'a>b', 'b>c');

  it('names what was added, wired, led elsewhere and cut', () => {
    const added = addNode(line, nodeType('step'), { x: 0, y: 0 });
    const tied = connect(added.records, 'c', 'completed', added.id);

    expect(said(line, added.records)).toBe('Added step');
    expect(said(line, tied)).toBe('Added step, wired from c');
    expect(said(added.records, tied)).toBe('Wired c, to step');
    expect(said(line, reroute(line, 'a>b', 'c'))).toBe('Now a, to c');
    expect(said(tied, added.records)).toBe('Cut the wire of c, to step');
  });

  it('says what is joined where a node was removed', () => {
    expect(said(line, removeTidily(line, new Set(['b'])))).toBe('Deleted b. Now a, to c');
    expect(said(line, removeTidily(line, new Set(['a', 'b', 'c'])))).toBe('Deleted a, b, c');
  });

  it('says which way, and nothing of words and places', () => {
    const ports = () => [
      { id: 'completed', label: 'Completed', kind: 'completed' as const },
      { id: 'when:senior', label: 'senior', kind: 'dynamic' as const, when: 'senior' },
    ];
    const wired = connect(line, 'a', 'when:senior', 'c');
    expect(toldOf(diff(line, wired), wired, ports)).toBe('Wired a, senior, to c');

    const moved = withRecords(line, [
      { kind: 'node', id: 'a', value: { id: 'a', type: 'step', label: 'Other' } },
    ]);
    expect(said(line, moved)).toBe('');
    expect(said(line, renameNode(line, 'b', 'check', new Map()))).toBe('');
  });
});
