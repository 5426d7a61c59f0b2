import { describe, expect, it } from 'vitest';
import type { Cure, Edit } from '../../api/types/types.ts';
import { withRecords } from '../document/diff.ts';
import { toRecords } from '../document/document.ts';
import { cured } from './cures.ts';

const records = toRecords({
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'a', type: 'step', read_keys: ['input'], config: { prompt: 'Hi {{ input.nam }}' } },
    { id: 'b', type: 'step' },
  ],
  edges: [{ id: 'ab', source: 'a', target: 'b' }],
  defaults: { read_keys: ['previous'] },
});
const edit = (more: Partial<Edit>): Edit => ({
  op: 'set',
  part: 'node',
  id: 'a',
  path: [],
  value: null,
  ...more,
});
const cure = (...edits: Edit[]): Cure => ({ label: 'Mend', edits });

describe('a cure', () => {
  it('adds a key once', () => {
    const allow = cure(edit({ op: 'add', path: ['read_keys'], value: 'level' }));
    const after = cured(records, allow);

    expect(after.nodes.get('a')?.read_keys).toEqual(['input', 'level']);
    expect(cured(after, allow)).toBe(after);
  });

  it('calls an agent of the workflow otherwise, where it stands and where it is named', () => {
    const own = [{ id: 'b' }, { id: 'a', system_prompt: 'Be kind.' }];
    const draft = withRecords(records, [{ kind: 'setting', id: 'agents', value: own }]);
    const keep = cure(
      edit({ part: 'graph', id: '', path: ['agents', 1, 'id'], value: 'a-own' }),
      edit({ path: ['config', 'agent_id'], value: 'a-own' }),
    );
    const after = cured(draft, keep);

    expect(after.settings.agents).toEqual([own[0], { id: 'a-own', system_prompt: 'Be kind.' }]);
    expect(after.nodes.get('a')?.config?.['agent_id']).toBe('a-own');
  });

  it('begins with the defaults where a node says nothing', () => {
    const allow = cure(edit({ op: 'add', id: 'b', path: ['read_keys'], value: 'input' }));

    expect(cured(records, allow).nodes.get('b')?.read_keys).toEqual(['previous', 'input']);
  });

  it('sets and takes out what stands inside a part', () => {
    const path = ['config', 'prompt'];

    expect(cured(records, cure(edit({ path, value: 'Hi' }))).nodes.get('a')?.config).toEqual({
      prompt: 'Hi',
    });
    expect(cured(records, cure(edit({ path }))).nodes.get('a')?.config).toEqual({});
  });

  it('draws an edge once, and takes one away', () => {
    const start = cure(edit({ part: 'edge', id: '', value: { source: '__start__', target: 'a' } }));
    const after = cured(records, start);

    expect([...after.edges.values()].at(-1)).toMatchObject({ source: '__start__', target: 'a' });
    expect(cured(after, start)).toBe(after);
    expect(cured(records, cure(edit({ part: 'edge', id: 'ab' }))).edges.size).toBe(0);
  });

  it('puts a node between two, once, and takes one away with its wires', () => {
    const before = cure(
      edit({ id: 'ok', value: { id: 'ok', type: 'step', position: { x: 0, y: 0 } } }),
      edit({ part: 'edge', id: 'ab', path: ['target'], value: 'ok' }),
      edit({ part: 'edge', id: '', value: { source: 'ok', target: 'b' } }),
    );
    const after = cured(records, before);

    expect([...after.edges.values()].map(({ source, target }) => `${source}>${target}`)).toEqual([
      'a>ok',
      'ok>b',
    ]);
    expect(cured(after, before)).toBe(after);
    const bare = cured(after, cure(edit({ id: 'ok' })));
    expect(bare.nodes.has('ok')).toBe(false);
    expect(bare.edges.size).toBe(0);
  });

  it('draws a wire with a condition beside a plain one, once', () => {
    const value = { source: 'a', target: 'b', condition: 'memory.done == true' };
    const way = cure(edit({ part: 'edge', id: '', value }));
    const after = cured(records, way);

    expect(after.edges.size).toBe(2);
    expect(cured(after, way)).toBe(after);
  });

  it('sets a place inside a setting', () => {
    const describe_ = cure(
      edit({
        part: 'graph',
        id: '',
        path: ['state_schema', 'properties', 'level'],
        value: { type: 'string' },
      }),
    );

    expect(cured(records, describe_).settings.state_schema).toEqual({
      properties: { level: { type: 'string' } },
    });
  });

  it('does nothing to what is gone', () => {
    const less = withRecords(records, [{ kind: 'node', id: 'a', value: null }]);

    expect(cured(less, cure(edit({ op: 'add', path: ['read_keys'], value: 'x' })))).toBe(less);
  });
});
