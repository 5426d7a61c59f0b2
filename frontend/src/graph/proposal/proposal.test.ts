import { describe, expect, test } from 'vitest';
import type { GraphDoc, NodeDoc } from '../../api/types/documentTypes.ts';
import type { Records } from '../document/document.ts';
import { hostsIn } from './addresses.ts';
import { needsOf, ticked } from './needs.ts';
import { aboutOf, partsOf, recordsOf } from './parts.ts';
import { isContested, isThere, withParts } from './taking.ts';

const node = (id: string, more: Partial<NodeDoc> = {}): NodeDoc => ({
  id,
  type: 'agent',
  label: id.toUpperCase(),
  ...more,
});
const document = (more: Partial<GraphDoc>): Partial<GraphDoc> => ({
  graphwright: 1,
  id: 'x',
  nodes: [],
  edges: [],
  ...more,
});

const FIRST = node('draft', {
  config: { agent_id: 'writer', prompt: 'Write' },
  position: { x: 0, y: 0 },
});
const SECOND = node('send', { type: 'tool', position: { x: 320, y: 0 } });
const INTO = { id: 'a', source: '__start__', target: 'draft' };
const BASE = document({
  agents: [{ id: 'writer' }],
  nodes: [FIRST, SECOND],
  edges: [INTO, { id: 'b', source: 'draft', target: 'send' }],
});
const AFTER = document({
  agents: [{ id: 'writer' }, { id: 'checker' }],
  state_schema: { type: 'object', properties: { level: { type: 'string' } } },
  nodes: [
    node('draft', { config: { agent_id: 'writer', prompt: 'Write' }, position: { x: 0, y: 0 } }),
    node('check', {
      human_description: 'Looks whether it is right.',
      config: { agent_id: 'checker' },
      write_keys: ['level'],
    }),
    node('send', { type: 'tool', position: { x: 320, y: 0 } }),
  ],
  edges: [
    { id: 'a', source: '__start__', target: 'draft' },
    { id: 'b', source: 'draft', target: 'check' },
    { id: 'c', source: 'check', target: 'send', condition: 'memory.level == "good"' },
  ],
});

const base = recordsOf(BASE);
const parts = partsOf(base, recordsOf(AFTER));
const partOf = (key: string) => {
  const found = parts.find((part) => part.key === key);
  if (!found) throw new Error(`there is no part ${key}`);
  return found;
};
const needs = needsOf(parts);

describe('the parts of a draft', () => {
  test('are nodes, wires, agents and settings with names that people know', () => {
    expect(parts.map(({ key, title, change }) => [key, title, change])).toEqual([
      ['node:check', 'CHECK', 'added'],
      ['edge:b', 'DRAFT → CHECK', 'changed'],
      ['edge:c', 'CHECK → SEND', 'added'],
      ['setting:state_schema', 'Fields', 'added'],
      ['agent:checker', 'checker', 'added'],
    ]);
    expect(aboutOf(partOf('node:check'))).toBe('Looks whether it is right.');
    expect(aboutOf(partOf('edge:c'))).toBe('if memory.level == "good"');
  });

  test('that only place nodes elsewhere are none', () => {
    const moved = document({ ...BASE, nodes: [node('draft', { position: { x: 9, y: 9 } })] });
    expect(partsOf(recordsOf(moved), recordsOf({ ...moved, nodes: [node('draft')] }))).toEqual([]);
  });

  test('need what they name', () => {
    expect(needs.get('edge:b')).toEqual(['node:check']);
    expect(needs.get('node:check')).toEqual(['agent:checker', 'setting:state_schema']);
    expect(needs.get('agent:checker')).toEqual([]);
  });
});

describe('ticking', () => {
  test('takes along what a part needs', () => {
    expect([...ticked(new Set(), 'edge:c', true, needs)]).toEqual([
      'edge:c',
      'node:check',
      'agent:checker',
      'setting:state_schema',
    ]);
  });

  test('drops what cannot do without it', () => {
    const all = new Set(parts.map(({ key }) => key));
    expect([...ticked(all, 'agent:checker', false, needs)]).toEqual(['setting:state_schema']);
  });

  test('takes the wires of a node that goes', () => {
    const gone = partsOf(base, recordsOf({ ...BASE, nodes: [FIRST], edges: [INTO] }));
    const without = needsOf(gone);
    expect([...ticked(new Set(), 'node:send', true, without)]).toEqual(['node:send', 'edge:b']);
    expect([...ticked(new Set(['node:send', 'edge:b']), 'edge:b', false, without)]).toEqual([]);
  });
});

describe('taking parts', () => {
  test('puts a node between two others and moves the one behind it', () => {
    const made = withParts(base, parts);
    const at = (id: string) => made.nodes.get(id)?.position;
    expect(at('draft')).toEqual({ x: 0, y: 0 });
    expect(at('check')).toEqual({ x: 320, y: 0 });
    expect(at('send')?.x).toBeGreaterThan(320 + 232);
    expect(made.settings.agents?.map(({ id }) => id)).toEqual(['writer', 'checker']);
    expect(made.edges.get('b')?.target).toBe('check');
  });

  test('takes one part and leaves the others', () => {
    const made = withParts(base, [partOf('agent:checker')]);
    expect(made.nodes).toBe(base.nodes);
    expect(made.edges.size).toBe(2);
    expect(parts.filter((part) => isThere(made, part)).map(({ key }) => key)).toEqual([
      'agent:checker',
    ]);
  });

  test('places every node of a new workflow', () => {
    const fresh = partsOf(recordsOf({}), recordsOf({ ...AFTER }));
    const made = withParts(recordsOf({}), fresh);
    const places = [...made.nodes.values()].map(({ position }) => JSON.stringify(position));
    expect(new Set(places).size).toBe(3);
  });

  test('what others changed meanwhile stays, and is told', () => {
    const renamed = partsOf(
      base,
      recordsOf({ ...BASE, nodes: [node('draft', { label: 'Mine' }), SECOND] }),
    );
    const theirs: Records = {
      ...base,
      nodes: new Map([...base.nodes, ['draft', node('draft', { label: 'Theirs' })]]),
    };
    const [part] = renamed;
    if (!part) throw new Error('nothing differs');
    expect(isContested(base, part)).toBe(false);
    expect(isContested(theirs, part)).toBe(true);
    expect(withParts(theirs, [part]).nodes.get('draft')?.label).toBe('Theirs');
  });
});

test('the hosts of addresses are named, and only a few of them', () => {
  expect([
    ...hostsIn({ url: 'https://user@evil.example.com/x?y', body: ['http://b.example'] }),
  ]).toEqual(['evil.example.com', 'b.example']);
  expect(hostsIn(Array.from({ length: 99 }, (_, n) => `https://h${n}.example`)).size).toBe(5);
});
