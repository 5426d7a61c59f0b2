import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../api/types/types.ts';
import { fieldsOf, fromInput, inputsOf, readForm } from './schemaFields.ts';

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
