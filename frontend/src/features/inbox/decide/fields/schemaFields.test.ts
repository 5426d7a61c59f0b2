import { describe, expect, it, test } from 'vitest';
import type { Json, JsonSchema } from '../../../../api/types/types.ts';
import { beforeText, fieldsOf, fromInput, inputsOf, readForm } from './schemaFields.ts';

const schema: JsonSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    due_date: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'When' },
    level: { enum: [1, 2, 3] },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    extra: { type: 'object' },
  },
};

describe('fieldsOf', () => {
  it('draws one typed input a property, labelled in words', () => {
    expect(fieldsOf(schema).map((field) => [field.label, field.kind])).toEqual([
      ['Title', 'text'],
      ['Due date', 'text'],
      ['Level', 'choice'],
      ['Tags', 'choices'],
      ['Extra', 'json'],
    ]);
  });

  it('reads back what it shows, with the types of the schema', () => {
    const value = { title: 'x', due_date: 'today', level: 2, tags: ['b'], extra: { a: [1] } };
    const fields = fieldsOf(schema);

    expect(readForm(fields, inputsOf(fields, value))).toEqual({ values: value, problems: {} });
  });

  it('leaves out what was not filled in and names what is missing', () => {
    const fields = fieldsOf(schema);

    expect(readForm(fields, {})).toEqual({ values: {}, problems: { title: 'This is needed.' } });
  });

  it('refuses a fraction where a whole number is asked', () => {
    const [field] = fieldsOf({ properties: { n: { type: 'integer', minimum: 1 } } });
    if (!field) throw new Error('no field');

    expect(fromInput(field, '1.5')).toEqual({ problem: 'This must be a whole number.' });
    expect(fromInput(field, '0')).toEqual({ problem: 'At least 1.' });
    expect(fromInput(field, '3')).toEqual({ value: 3 });
  });
});

describe('an object among the fields', () => {
  const order: JsonSchema = {
    required: ['body'],
    properties: { body: { $ref: '#/$defs/Order' }, gift: { $ref: '#/$defs/Gift' } },
    $defs: {
      Gift: { type: 'object', properties: { to: { type: 'string' }, wrap: { type: 'boolean' } } },
      Order: {
        type: 'object',
        required: ['amount'],
        properties: {
          amount: { type: 'number', minimum: 1 },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          parts: { type: 'array', items: { $ref: '#/$defs/Order' } },
        },
      },
    },
  };

  it('is asked for by its own fields, and what only JSON can say only where it stands there', () => {
    const [body] = fieldsOf(order, { body: { amount: 250 } });

    expect(body?.kind).toBe('group');
    expect(body?.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['amount', 'number'],
      ['note', 'text'],
    ]);
    const [full] = fieldsOf(order, { body: { amount: 1, parts: [] } });
    expect(full?.fields.map(({ kind }) => kind)).toEqual(['number', 'text', 'json']);
  });

  it('is read back as it was, one that need not be there is left out', () => {
    const value = { body: { amount: 250, note: 'x' } };
    const fields = fieldsOf(order, value);

    expect(readForm(fields, inputsOf(fields, value))).toEqual({ values: value, problems: {} });
  });

  it('says where in it something is wrong', () => {
    const fields = fieldsOf(order);

    expect(readForm(fields, { body: { amount: '0' } }).problems).toEqual({
      'body.amount': 'At least 1.',
    });
  });

  it('stays JSON where it holds what the schema does not name', () => {
    const [body] = fieldsOf(order, { body: { amount: 1, colour: 'red' } });

    expect(body?.kind).toBe('json');
  });
});

const money: JsonSchema = { type: 'number', 'x-unit': 'USD' };

test.each<[string, JsonSchema, Json | undefined, string]>([
  ['refund', money, 37.5, '$37.50'],
  ['amount', { type: 'number' }, 37.5, '37.50'],
  ['weight', { type: 'number' }, 37.5, '37.5'],
  ['urgent', { type: 'boolean' }, true, 'Yes'],
  ['letter', { type: 'string' }, 'Dear Ann', 'Dear Ann'],
  ['letter', { type: 'string' }, null, 'nothing'],
  ['letter', { type: 'string' }, '', 'nothing'],
  ['to', { type: 'object' }, {}, 'nothing'],
  ['letter', { type: 'string' }, undefined, 'nothing'],
])('what stood in %s (%j) is said as the item shows it', (name, schema, before, words) => {
  const [field] = fieldsOf({ type: 'object', properties: { [name]: schema } });

  expect(field && beforeText(field, before)).toBe(words);
});
