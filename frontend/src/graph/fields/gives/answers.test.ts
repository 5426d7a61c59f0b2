import { expect, it } from 'vitest';
import type { JsonSchema } from '../../../api/types/types.ts';
import { withRecords } from '../../document/diff.ts';
import { type Records, toRecords } from '../../document/document.ts';
import { nodeType } from '../../document/testing.ts';
import { addField, removeField, setKind, setProperty, withKeyword } from '../fields.ts';
import { isOptional, withAnswers, withOptional } from './answers.ts';
import { withGives } from './gives.ts';

const types = new Map([
  ['agent', nodeType('agent', { result_schema: { type: 'object' } })],
  ['function', nodeType('function')],
]);
const list: JsonSchema = { type: 'array', items: { type: 'string' } };
const draft = (more: object = {}) =>
  toRecords({
    graphwright: 1,
    id: 'g',
    nodes: [
      { id: 'a', type: 'agent', write_keys: ['level', 'notes'], config: more },
      { id: 'b', type: 'agent', write_keys: ['notes'] },
      { id: 'f', type: 'function', write_keys: ['notes'] },
    ],
    edges: [],
    state_schema: { type: 'object', properties: { level: { type: 'string' }, notes: list } },
  } as never);
const shape = (records: Records, id = 'a') =>
  records.nodes.get(id)?.config?.['result_schema'] as JsonSchema | undefined;
const gives = (records: Records, change: (schema: JsonSchema) => JsonSchema) =>
  withAnswers(records, withGives(records, 'a', change), types);
const combined = (records: Records, reducer: string | undefined) =>
  gives(records, (now) => setProperty(now, 'notes', (row) => withKeyword(row, 'reducer', reducer)));
const whole = {
  type: 'object',
  properties: { level: { type: 'string' }, notes: list },
  required: ['level', 'notes'],
  additionalProperties: false,
};

it('says the shape of every answer with a field that is combined now, and takes it back', () => {
  const after = combined(draft(), 'append');
  expect(shape(after)).toEqual(whole);
  expect(shape(after, 'b')).toMatchObject({ properties: { notes: list }, required: ['notes'] });
  expect(shape(after, 'f')).toBeUndefined();

  const back = combined(after, undefined);
  expect([shape(back), shape(back, 'b')]).toEqual([undefined, undefined]);
});

it('follows rows that come, change and go, and leaves what says something else', () => {
  const after = combined(draft(), 'append');
  const grown = gives(after, (now) => setKind(addField(now, 'score'), 'score', 'number'));
  expect(shape(grown)?.properties?.['score']).toEqual({ type: 'number' });
  expect(shape(grown)?.required).toEqual(['level', 'notes', 'score']);
  const less = gives(grown, (now) => removeField(now, 'score'));
  expect(shape(less)).toEqual(whole);
  expect(Object.keys(less.settings.state_schema?.properties ?? {})).toEqual(['level', 'notes']);

  const narrow = { type: 'object', properties: { level: { enum: ['a'] } } };
  const own = gives(draft({ result_schema: narrow }), (now) => setKind(now, 'level', 'long'));
  expect(shape(own)).toBe(narrow);
});

it('is derived where nothing has to be said, and stays derived in what was written by hand', () => {
  const grown = gives(draft(), (now) => addField(now, 'score'));
  expect(shape(grown)).toBeUndefined();

  const properties = { level: { type: 'string' }, notes: { ...list, reducer: 'append' } };
  const byHand = withRecords(draft(), [
    { kind: 'setting', id: 'state_schema', value: { type: 'object', properties } },
  ]);
  expect(shape(gives(byHand, (now) => setKind(now, 'level', 'long')))).toBeUndefined();
  expect(shape(gives(byHand, (now) => addField(now, 'score')))?.required).toContain('notes');
});

it('says which field may be left out, and nothing once all must be there', () => {
  const after = withOptional(draft(), 'a', 'level', true);
  expect(shape(after)).toEqual({ ...whole, required: ['notes'] });
  const node = (records: Records) => records.nodes.get('a') as never;
  expect([isOptional(node(after), 'level'), isOptional(node(after), 'notes')]).toEqual([
    true,
    false,
  ]);
  expect(shape(withOptional(after, 'a', 'level', false))).toBeUndefined();
  expect(withOptional(draft(), 'a', 'level', false)).toEqual(draft());
});
