import { describe, expect, it } from 'vitest';
import { withRecords } from '../document/diff.ts';
import { type Records, START } from '../document/document.ts';
import { graph, nodeType } from '../document/testing.ts';
import {
  graphRunner,
  type Part,
  partDocument,
  partOf,
  slugOf,
  withPartReplaced,
} from './extract.ts';

const subgraph = nodeType('subgraph', {
  graph: { type: 'string', 'x-widget': 'graph' },
  inputs: { type: 'object', 'x-group': 'Mapping' },
  outputs: { type: 'object', 'x-group': 'Mapping' },
});
subgraph.config_schema.required = ['graph'];
const mapper = nodeType('map', { worker: { type: 'string', 'x-widget': 'node' } });
const types = new Map([nodeType('step'), subgraph, mapper].map((type) => [type.type, type]));
const line = () => graph('__start__>a', 'a>b', 'b>c', 'c>d');

/** Records in which some fields of a node are set. */
function changed(records: Records, id: string, fields: Record<string, unknown>): Records {
  const value = { ...records.nodes.get(id), ...fields } as never;
  return withRecords(records, [{ kind: 'node', id, value }]);
}

/** The part, where there is one. */
function part(records: Records, ...ids: string[]): Part {
  const found = partOf(records, new Set(ids), types);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('a part of a graph', () => {
  it('is entered at one place and leads to the ones behind it', () => {
    expect(part(line(), 'b', 'c')).toMatchObject({ entry: 'b', targets: ['d'] });
  });

  it('begins where nothing leads, when nothing leads to it', () => {
    expect(part(graph('a>b', 'x>y'), 'a', 'b')).toMatchObject({ entry: 'a', targets: [] });
  });

  it.each([
    ['two entries', graph('a>b', 'a>c', 'b>d', 'c>d'), ['b', 'c'], 'entered at one place'],
    ['nothing', line(), [], 'entered at one place'],
    ['ends that differ', graph('a>b', 'a>c', 'b>d', 'c>e'), ['a', 'b', 'c'], 'different places'],
  ])('is refused with a reason: %s', (_, records, ids, reason) => {
    expect(partOf(records, new Set(ids), types)).toContain(reason);
  });

  it('is refused when a wire that leaves it has a condition', () => {
    const edge = { id: 'c>d', source: 'c', target: 'd', condition: 'memory.x' };
    const records = withRecords(line(), [{ kind: 'edge', id: 'c>d', value: edge }]);

    expect(partOf(records, new Set(['b', 'c']), types)).toContain('has a condition');
    expect(part(records, 'b', 'c', 'd')).toMatchObject({ targets: [] });
  });

  it('is refused when a node names another one across its border', () => {
    const records = changed(line(), 'b', { type: 'map', config: { worker: 'd' } });

    expect(partOf(records, new Set(['b', 'c']), types)).toContain('names another one');
    expect(typeof partOf(records, new Set(['b', 'c', 'd']), types)).toBe('object');
  });

  it('knows the keys that cross its border, and what it reads that cannot', () => {
    const wrote = changed(line(), 'a', { write_keys: ['order'] });
    const records = changed(wrote, 'b', {
      read_keys: ['order', 'input', 'outputs.a', 'outputs.c', 'nowhere'],
      write_keys: ['price'],
    });

    expect(part(records, 'b', 'c')).toMatchObject({
      into: ['order'],
      out: ['price', 'b_result', 'c_result'],
      missing: ['input', 'outputs.a'],
    });
  });
});

describe('extracting a part', () => {
  it('makes a document of its nodes and the wires among them, entered from the start', () => {
    const records = line();

    const document = partDocument(records, part(records, 'b', 'c'), 'inner', 'Inner');

    expect(document.nodes.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(document.edges.map(({ source, target }) => [source, target])).toEqual([
      [START, 'b'],
      ['b', 'c'],
    ]);
    expect(document).toMatchObject({ graphwright: 1, id: 'inner', name: 'Inner' });
  });

  it('puts one node in its place, with its wires and its keys', () => {
    const records = changed(changed(line(), 'a', { write_keys: ['order'] }), 'b', {
      read_keys: ['order'],
    });
    const runner = graphRunner(types);
    if (runner === null) throw new Error('no type runs a graph');

    const whole = part(records, 'b', 'c');
    const after = withPartReplaced(records, whole, runner, { slug: 'inner', name: 'Inner' });

    expect(after.id).toBe('inner');
    expect([...after.records.nodes.keys()]).toEqual(['a', 'd', 'inner']);
    expect(after.records.nodes.get('inner')).toMatchObject({
      type: 'subgraph',
      label: 'Inner',
      config: {
        graph: 'inner',
        inputs: { order: 'order' },
        outputs: { b_result: 'b_result', c_result: 'c_result' },
      },
    });
    const wires = [...after.records.edges.values()].map(({ source, target }) => [source, target]);
    expect(wires).toEqual([
      [START, 'a'],
      ['a', 'inner'],
      ['inner', 'd'],
    ]);
  });

  it('needs a type that must name a graph', () => {
    expect(graphRunner(types)).toEqual({ type: subgraph, field: 'graph' });
    expect(graphRunner(new Map([['step', nodeType('step')]]))).toBeNull();
  });
});

it.each([
  ['Look it up!', 'look-it-up'],
  ['  Ünder way ', 'nder-way'],
  ['2 steps', 'steps'],
  ['!!!', 'node'],
])('a workflow named %s gets the id %s', (name, id) => {
  expect(slugOf(name)).toBe(id);
});
