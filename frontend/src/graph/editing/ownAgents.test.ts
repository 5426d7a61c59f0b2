import { describe, expect, it } from 'vitest';
import { nodeType } from '../document/testing.ts';
import { toRecords } from '../document/document.ts';
import { copy } from './clip/copy.ts';
import { paste } from './clip/paste.ts';
import { addNode, remove, renameNode } from './operations.ts';
import { agentField, ownAgentOf } from './ownAgents.ts';

const base = nodeType('worker', {
  agent: { type: 'string', 'x-widget': 'agent' },
  prompt: { type: 'string' },
});
const worker = {
  ...base,
  label: 'Worker',
  config_schema: { ...base.config_schema, required: ['agent'] },
};
const types = new Map([['worker', worker]]);
const empty = toRecords({ graphwright: 1, id: 'g', nodes: [], edges: [] });
const one = addNode(empty, worker, { x: 0, y: 0 }).records;
const agents = (records: typeof one) => records.settings.agents?.map((agent) => agent.id);

describe('a node that needs an agent', () => {
  it('comes with one of its own, by an id that nobody else has', () => {
    expect(agentField(worker)).toBe('agent');
    expect(agentField(base)).toBeNull();
    expect(one.settings.agents).toEqual([{ id: 'worker', model: 'local/default' }]);
    expect(one.nodes.get('worker')?.config).toEqual({ agent: 'worker' });
    expect(ownAgentOf(one, 'worker')?.id).toBe('worker');
    expect(addNode(empty, worker, { x: 0, y: 0 }, new Set(['worker'])).id).toBe('worker_2');
  });

  it('takes it along when it goes, unless another node names it', () => {
    const two = addNode(one, worker, { x: 0, y: 0 }).records;
    const shared = {
      ...two,
      nodes: new Map(two.nodes).set('worker_2', {
        id: 'worker_2',
        type: 'worker',
        config: { agent: 'worker' },
      }),
    };

    expect(agents(remove(two, new Set(['worker'])))).toEqual(['worker_2']);
    expect(remove(one, new Set(['worker'])).settings.agents).toBeUndefined();
    expect(ownAgentOf(shared, 'worker')).toBeNull();
    expect(agents(remove(shared, new Set(['worker'])))).toEqual(['worker', 'worker_2']);
  });

  it('is renamed with it', () => {
    const renamed = renameNode(one, 'worker', 'sorter', types);

    expect(agents(renamed)).toEqual(['sorter']);
    expect(renamed.nodes.get('sorter')?.config).toEqual({ agent: 'sorter' });
  });

  it('is copied with it, also to another document', () => {
    const clip = copy(one, new Set(['worker']));
    const here = paste(one, clip, { x: 0, y: 0 }, types).records;
    const there = paste(empty, clip, { x: 0, y: 0 }, types, false, new Set(['worker'])).records;

    expect(agents(here)).toEqual(['worker', 'worker_2']);
    expect(here.nodes.get('worker_2')?.config).toEqual({ agent: 'worker_2' });
    expect(agents(there)).toEqual(['worker_2']);
  });
});

it('a paste brings the agents and fields that a document lacks', () => {
  const source = toRecords({
    graphwright: 1,
    id: 'a',
    nodes: [{ id: 'x', type: 'worker', config: { agent: 'screener' }, write_keys: ['level'] }],
    edges: [],
    agents: [{ id: 'screener', model: 'm' }, { id: 'other' }],
    state_schema: { properties: { level: { type: 'string' }, more: { type: 'string' } } },
  });

  const pasted = paste(empty, copy(source, new Set(['x'])), { x: 0, y: 0 }, types).records;

  expect(pasted.settings.agents).toEqual([{ id: 'screener', model: 'm' }]);
  expect(pasted.settings.state_schema).toEqual({
    type: 'object',
    properties: { level: { type: 'string' } },
  });
});
