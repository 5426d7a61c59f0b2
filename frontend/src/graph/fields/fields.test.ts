import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { GraphDoc, JsonSchema } from '../../api/types/types.ts';
import { apply, diff, reverse, withRecords } from '../document/diff.ts';
import { toDocument, toRecords } from '../document/document.ts';
import {
  addField,
  fieldName,
  fieldsOf,
  removeField,
  renameField,
  sampleOf,
  samplesOf,
  setKind,
  setProperty,
  setRequired,
  withKeyword,
  withSample,
} from './fields.ts';
import { asKind, type FieldKind, kindOf, kindWords } from './kinds.ts';
import { asFields, isShaped, readObject } from './shape.ts';

const text = (schema: unknown) => JSON.stringify(schema);

describe('a table of fields', () => {
  it('begins a closed object with its first row', () => {
    expect(addField(undefined, 'cv', { closed: true, required: true })).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { cv: { type: 'string' } },
      required: ['cv'],
    });
    expect(addField({ description: 'Kept.' }, 'cv', { closed: true })).toEqual({
      description: 'Kept.',
      properties: { cv: { type: 'string' } },
    });
  });

  it('takes no name twice, and none that is empty', () => {
    const schema = addField(null, 'cv');

    expect(addField(schema, 'cv')).toBe(schema);
    expect(addField(schema, '')).toBe(schema);
    expect(renameField(schema, 'cv', 'cv')).toBe(schema);
  });

  it('reads names as they are typed', () => {
    expect(fieldName('  Letter of intent ')).toBe('Letter_of_intent');
    expect(fieldName('__x')).toBe('x');
    expect(fieldName('имя')).toBe('имя');
  });

  it('renames in place, and in what must be given', () => {
    const schema: JsonSchema = {
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    };

    expect(text(renameField(schema, 'a', 'z'))).toBe(
      '{"properties":{"z":{"type":"string"},"b":{"type":"number"}},"required":["z"]}',
    );
    expect(renameField(schema, 'a', 'b')).toBe(schema);
  });

  it('changes one property and leaves what it does not know', () => {
    const schema: JsonSchema = {
      $schema: 'x',
      properties: { a: { minLength: 2, type: 'string' }, b: { anyOf: [{ type: 'null' }] } },
    } as JsonSchema;

    const changed = setProperty(schema, 'a', (now) => withKeyword(now, 'description', 'Why.'));

    expect(changed.properties?.['a']).toEqual({
      minLength: 2,
      type: 'string',
      description: 'Why.',
    });
    expect(changed.properties?.['b']).toBe(schema.properties?.['b']);
    expect(setKind(schema, 'a', 'number').properties?.['a']).toEqual({
      type: 'number',
      minLength: 2,
    });
    expect(removeField(setRequired(schema, 'a', true), 'a')).toEqual({
      $schema: 'x',
      properties: { b: { anyOf: [{ type: 'null' }] } },
    });
  });

  it('keeps samples as examples, the others behind', () => {
    const property = withSample({ type: 'string', examples: ['a', 'b'] }, 'c');

    expect(property.examples).toEqual(['c', 'b']);
    expect(sampleOf(property)).toBe('c');
    expect(withSample({ examples: ['a'] }, undefined)).toEqual({});
    expect(samplesOf({ properties: { a: property, b: { type: 'number' } } })).toEqual({ a: 'c' });
  });
});

describe('a kind', () => {
  it('is read back from what it writes', () => {
    for (const kind of Object.keys(kindWords) as FieldKind[])
      expect(kindOf(asKind({ type: 'null' }, kind))).toBe(kind);
  });

  it.each([
    [{ type: 'integer' }, 'number'],
    [{ enum: ['a'] }, 'one'],
    [{ enum: [1] }, null],
    [{ type: ['string', 'null'] }, null],
    [{ $ref: '#/x' }, null],
    [{ type: 'array' }, null],
    [{ type: 'array', items: { oneOf: [] } }, null],
    [{ type: 'object', additionalProperties: { type: 'string' } }, null],
    [{ type: 'string', 'x-widget': 'prompt' }, null],
    [true, null],
    [{}, null],
  ])('of %j is %s', (schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });
});

describe('a wrong shape', () => {
  it('is seen, and made into the fields that were meant', () => {
    const given = { inputs: { name: 'string', age: 'number', since: 2020, ok: true } };

    expect([isShaped(given), isShaped({}), isShaped({ type: 'object' })]).toEqual([
      false,
      true,
      true,
    ]);
    expect(asFields(given)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: 'number' },
        since: { type: 'number', examples: [2020] },
        ok: { type: 'boolean', examples: [true] },
      },
    });
    expect(asFields({ inputs: { type: 'object' } })).toEqual({ type: 'object' });
  });

  it('is said in plain words', () => {
    expect(readObject('[1]')).toHaveProperty('wrong', expect.stringContaining('Begin with {'));
    expect(readObject('{"a": }')).toHaveProperty(
      'wrong',
      expect.stringMatching(/^Line 1: a comma/),
    );
    expect(readObject('{"a": 1}')).toEqual({ value: { a: 1 } });
  });
});

const folder = resolve(import.meta.dirname, '../../../../builder/library/templates');
const documents = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** Every edit that a table can make of a schema. */
function* edits(schema: JsonSchema | null | undefined): Generator<JsonSchema> {
  yield addField(schema, 'brand_new', { closed: true, required: true });
  for (const { name, required } of fieldsOf(schema)) {
    const now = schema as JsonSchema;
    yield removeField(now, name);
    yield renameField(now, name, 'brand_new');
    yield setRequired(now, name, !required);
    yield setProperty(now, name, (property) => withKeyword(property, 'description', 'Other.'));
    yield setProperty(now, name, (property) => withSample(property, 'x'));
    for (const kind of Object.keys(kindWords) as FieldKind[]) yield setKind(now, name, kind);
  }
}

it.each(documents)('%s edited in the table and undone has the same bytes', (name) => {
  const [, body] = parseAllDocuments(readFileSync(resolve(folder, name), 'utf8'));
  const document = body?.toJS() as GraphDoc;
  const records = toRecords(document);
  const before = text(toDocument(records, { id: 'g' }));
  const { interface: face, state_schema: state } = records.settings;
  const changed = [
    ...[...edits(face?.inputs)].map((inputs) => ({ id: 'interface', value: { ...face, inputs } })),
    ...[...edits(state)].map((value) => ({ id: 'state_schema', value })),
  ];

  for (const { id, value } of changed) {
    const after = withRecords(records, [{ kind: 'setting', id, value }]);
    const back = apply(after, reverse(diff(records, after)));

    expect(text(toDocument(back, { id: 'g' }))).toBe(before);
    expect([...back.nodes.keys()]).toEqual([...records.nodes.keys()]);
  }
  expect(changed.length).toBeGreaterThan(1);
});
