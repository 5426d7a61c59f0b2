import { expect, it } from 'vitest';
import { fieldsOf } from '../../../graph/fields/fields.ts';
import { literal, mappingOfValues, sampleBody } from './startValues.ts';

const fields = fieldsOf({
  type: 'object',
  properties: {
    order: { type: 'string' },
    kind: { type: 'string', enum: ['paid', 'open'] },
    count: { type: 'number' },
    express: { type: 'boolean' },
    lines: { type: 'array', items: { type: 'string' }, examples: [['a']] },
  },
  required: ['order'],
});

it('writes values as expressions say them', () => {
  expect(
    mappingOfValues(fields, { order: ' A "17" ', count: '3', express: 'Yes', lines: '["x"]' }),
  ).toEqual({ order: '"A \\"17\\""', count: '3', express: 'true', lines: '["x"]' });
  expect(mappingOfValues(fields, { order: '  ' })).toEqual({});
});

it('leaves what is no number or no yes in quotes, so that the start can say so', () => {
  expect(literal('many', { type: 'number' })).toBe('"many"');
  expect(literal('perhaps', { type: 'boolean' })).toBe('"perhaps"');
});

it('makes a sample that has every field', () => {
  expect(sampleBody(fields)).toEqual({
    order: '…',
    kind: 'paid',
    count: 1,
    express: true,
    lines: ['a'],
  });
});
