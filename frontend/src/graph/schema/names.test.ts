import { describe, expect, it } from 'vitest';
import { withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { graph, nodeType } from '../document/testing.ts';
import { allows, memoryKeys, namesForEdge, namesForNode, upstream } from './names.ts';

const types = new Map([['step', nodeType('step')]]);
const node = (records: Records, id: string) => {
  const found = records.nodes.get(id);
  if (!found) throw new Error(id);
  return found;
};
const written = (): Records => {
  const records = graph('__start__>a', 'a>b', 'b>c');
  return withRecords(records, [
    {
      kind: 'node',
      id: 'a',
      value: { ...node(records, 'a'), label: 'First', write_keys: ['order.total'] },
    },
    {
      kind: 'node',
      id: 'b',
      value: { ...node(records, 'b'), read_keys: ['order', 'outputs.a', 'input'] },
    },
  ]);
};

describe('the keys of memory', () => {
  it('are those that nodes write and return, with who writes and who reads them', () => {
    expect(memoryKeys(written(), types)).toEqual([
      { key: 'a_result', writers: ['First'], readers: [], declared: false },
      { key: 'b_result', writers: ['b'], readers: [], declared: false },
      { key: 'c_result', writers: ['c'], readers: [], declared: false },
      { key: 'order', writers: ['First'], readers: ['b'], declared: false },
    ]);
  });

  it('are those that the schema declares and the start sets, too', () => {
    const records = graph();
    records.settings.state_schema = {
      properties: { tone: { type: 'string', description: 'How to write' } },
    };
    records.settings.initial_memory = { lang: 'en' };

    expect(memoryKeys(records, types)).toEqual([
      { key: 'lang', writers: ['Start'], readers: [], declared: false },
      { key: 'tone', writers: [], readers: [], declared: true, description: 'How to write' },
    ]);
  });
});

describe('the names that a node may use', () => {
  it('say what it may read, by where it comes from, and offer the outputs of what runs before it', () => {
    const records = written();
    const names = namesForNode(records, types, node(records, 'b'));
    const readable = names.filter((name) => name.readable).map(({ name }) => name);

    expect(readable).toEqual(['input', 'memory.order', 'outputs.a', 'goal', 'constraints']);
    expect(names.map(({ name }) => name)).not.toContain('outputs.c');
    expect(names.find(({ name }) => name === 'memory.order')?.detail).toBe('written by First');
  });

  it('say of a list and of a choice what it is in a word that stands alone', () => {
    const properties = {
      tags: { type: 'array', items: { type: 'string' } },
      level: { type: 'string', enum: ['senior', 'mid'] },
    };
    const records = withRecords(graph('a>b'), [
      { kind: 'setting', id: 'interface', value: { inputs: { properties } } },
    ]);
    const names = namesForNode(records, types, node(records, 'b'));

    expect(
      ['input.tags', 'input.level'].map((key) => names.find((one) => one.grant === key)?.detail),
    ).toEqual(['list', 'choice']);
  });

  it('are the fields of the start too, each with the narrowest key that lets it be read', () => {
    const records = withRecords(graph('a>b'), [
      {
        kind: 'setting',
        id: 'interface',
        value: { inputs: { properties: { cv: { type: 'string' } } } },
      },
      { kind: 'node', id: 'b', value: { id: 'b', type: 'step', read_keys: [] } },
    ]);
    const cv = namesForNode(records, types, node(records, 'b')).find(
      (each) => each.grant === 'input.cv',
    );

    expect(cv).toEqual({
      name: 'input.cv',
      detail: 'text',
      readable: false,
      grant: 'input.cv',
      from: 'Start',
      typed: true,
    });
    expect([
      allows(['input'], 'input.cv'),
      allows(['*'], 'input.cv'),
      allows(['*'], 'level'),
    ]).toEqual([true, false, true]);
  });

  it('know the node before by its name, where there is but one', () => {
    const previous = (...edges: string[]) =>
      namesForNode(graph(...edges), types, node(graph(...edges), 'b')).find(
        ({ name }) => name === 'previous',
      )?.same;

    expect(previous('first-step>b')).toBe("outputs['first-step']");
    expect(previous('a>b', 'c>b')).toBeUndefined();
    expect(previous('__start__>b')).toBeUndefined();
  });

  it('quotes a name that is no identifier', () => {
    const records = graph('first-step>b');

    expect(namesForEdge(records, types, 'b').map(({ name }) => name)).toContain(
      "outputs['first-step']",
    );
  });

  it('lets an edge read the whole state and the result of its source', () => {
    const names = namesForEdge(written(), types, 'b');

    expect(names.every(({ readable }) => readable)).toBe(true);
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['result.output', 'memory.order', 'outputs.c', 'goal', 'previous']),
    );
  });
});

it('a node in a loop runs before itself', () => {
  const looped = graph('__start__>a', 'a>b', 'b>a', 'b>c');

  expect(upstream(looped, 'a').map(({ id }) => id)).toEqual(['a', 'b']);
  expect(upstream(looped, 'c').map(({ id }) => id)).toEqual(['a', 'b']);
});
