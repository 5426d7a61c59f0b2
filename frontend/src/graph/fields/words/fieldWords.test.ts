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
  ['budget.max_cost_usd', undefined, 'Budget · Max cost'],
  ['config.policy.four_eyes', undefined, 'Policy · Not their own work'],
  ['config.policy.escalation.after_ms', undefined, 'Policy · Ask others later · After'],
  ['interface.inputs.properties.age', undefined, 'Start fields · age'],
  ['interface.inputs.properties.age.title', undefined, 'Start fields · age · Title'],
  ['interface.inputs.additionalProperties', undefined, 'Start fields · Other fields are accepted'],
  ['state_schema.required', undefined, 'Fields · Required'],
  ['state_schema', undefined, 'Fields'],
  ['label', output, 'Label'],
])('a field is called as on the screen: %s', (path, type, words) => {
  expect(fieldWords(path, type)).toBe(words);
});
