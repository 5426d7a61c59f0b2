import { describe, expect, it } from 'vitest';
import { apply, diff, reverse } from '../../document/diff.ts';
import { toRecords } from '../../document/document.ts';
import { addField, removeField, renameField, setKind } from '../fields.ts';
import { alsoGivenBy, givesOf, undescribed, withGives } from './gives.ts';

const node = (id: string, more: object) => ({ id, type: 'step', ...more });
const base = toRecords({
  graphwright: 1,
  id: 'g',
  nodes: [
    node('a', { write_keys: ['level', 'bare'] }),
    node('b', { label: 'B', write_keys: ['level'], config: { prompt: '{{ memory.skills }}' } }),
    node('c', { write_keys: ['skills', 'score'] }),
  ],
  edges: [],
  state_schema: {
    type: 'object',
    properties: {
      level: { type: 'string' },
      skills: { type: 'array', items: { type: 'string' } },
      score: { type: 'number' },
    },
  },
});
const a = node('a', { write_keys: ['level', 'bare'] });
const keys = (records: typeof base, id: string) => records.nodes.get(id)?.write_keys;
const fields = (records: typeof base) =>
  Object.keys(records.settings.state_schema?.properties ?? {});

describe('what a node gives', () => {
  it('is what it writes and the workflow describes', () => {
    expect(Object.keys(givesOf(base, a).properties ?? {})).toEqual(['level']);
    expect(undescribed(base, a)).toEqual(['bare']);
    expect(alsoGivenBy(base, 'a', 'level')).toEqual(['B']);
  });

  it('grows by a row: one write key, one field', () => {
    const after = withGives(base, 'b', (schema) => addField(schema, 'summary'));
    const first = withGives(
      toRecords({ graphwright: 1, id: 'g', nodes: [node('a', {})], edges: [] }),
      'a',
      (schema) => addField(schema, 'level'),
    );

    expect(keys(after, 'b')).toEqual(['level', 'summary']);
    expect(fields(after)).toEqual(['level', 'skills', 'score', 'summary']);
    expect(first.settings.state_schema).toEqual({
      type: 'object',
      properties: { level: { type: 'string' } },
    });
  });

  it('takes a field that is there as it is', () => {
    const after = withGives(base, 'b', (schema) => addField(schema, 'skills'));

    expect(keys(after, 'b')).toEqual(['level', 'skills']);
    expect(after.settings.state_schema).toBe(base.settings.state_schema);
  });

  it('loses a row, and the field where nothing else names it', () => {
    const shared = withGives(base, 'a', (schema) => removeField(schema, 'level'));
    const read = withGives(base, 'c', (schema) => removeField(schema, 'skills'));
    const alone = withGives(base, 'c', (schema) => removeField(schema, 'score'));

    expect([keys(shared, 'a'), fields(shared).includes('level')]).toEqual([['bare'], true]);
    expect(fields(read)).toContain('skills');
    expect([keys(alone, 'c'), fields(alone)]).toEqual([['skills'], ['level', 'skills']]);
  });

  it('renames in place what nothing else names, and else gives another field', () => {
    const alone = withGives(base, 'c', (schema) => renameField(schema, 'score', 'points'));
    const read = withGives(base, 'c', (schema) => renameField(schema, 'skills', 'talents'));

    expect([keys(alone, 'c'), fields(alone)]).toEqual([
      ['skills', 'points'],
      ['level', 'skills', 'points'],
    ]);
    expect(fields(read)).toEqual(['level', 'skills', 'score', 'talents']);
  });

  it('is one change of one property, and undone has the same bytes', () => {
    const after = withGives(base, 'a', (schema) => setKind(schema, 'level', 'one'));
    const back = apply(after, reverse(diff(base, after)));

    expect(after.settings.state_schema?.properties?.['level']).toEqual({
      type: 'string',
      enum: [],
    });
    expect(after.nodes).toBe(base.nodes);
    expect(JSON.stringify(back.settings)).toBe(JSON.stringify(base.settings));
  });
});
