import { expect, test } from 'vitest';
import type { Json, JsonSchema } from '../../../api/types/types.ts';
import { fieldsOf } from './schemaFields.ts';
import { beforeText } from './TypedForm.tsx';

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
