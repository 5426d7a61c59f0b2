import { expect, test } from 'vitest';
import type { NodeTypeInfo } from '../../../api/types/types.ts';
import { fieldWords } from './fieldWords.ts';

const output = {
  config_schema: { properties: { text: { type: 'string', title: 'Value' } } },
} as unknown as NodeTypeInfo;

test.each([
  ['config.text', output, 'Value'],
  ['config.text', undefined, 'Text'],
  ['config.options.max_length', output, 'Options · Max length'],
  ['read_keys', output, 'Can read'],
  ['budget.max_cost_usd', undefined, 'Budget · Max cost usd'],
  ['label', output, 'Label'],
])('a field is called as on the screen: %s', (path, type, words) => {
  expect(fieldWords(path, type)).toBe(words);
});
