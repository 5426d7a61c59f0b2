import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../api/types/types.ts';
import {
  beginning,
  suited,
  checked,
  jsonTrouble,
  refusalAt,
  roomy,
  withoutEmpty,
} from './testInput.ts';

const inputs: JsonSchema = {
  type: 'object',
  required: ['name', 'cv', 'plan'],
  properties: {
    name: { type: 'string', examples: ['Ada'] },
    cv: { type: 'string' },
    age: { type: 'integer' },
    plan: { type: 'string', enum: ['a'], default: 'a' },
  },
};

test.each([
  ['{"a": 1', 'It ends too early: a closing quote, ] or } is missing.'],
  ['', 'There is nothing here. Write null for no input.'],
  ["{\n'a': 1}", "Line 2, at “'a': 1}”: texts stand in straight double quotes."],
  ['[1, 2, ]', 'Line 1, at “]”: there is a comma too many before it.'],
  ['{"a": yes}', 'Line 1, at “yes}”: names and texts stand in double quotes.'],
])('broken JSON says why: %s', (text, words) => expect(jsonTrouble(text)).toBe(words));

test('sound JSON is no trouble', () => expect(jsonTrouble(' {"a": [1]} ')).toBeNull());

test('a form begins with the examples of its fields', () =>
  expect(beginning(inputs)).toMatchObject({ how: 'form', form: { name: 'Ada' } }));

test('what is missing is said at its field; what has a default is not missing', () => {
  const found = checked(beginning(inputs), inputs);
  expect('problems' in found && found.problems.map(({ path }) => path)).toEqual(['cv']);
});

test('a switch that must be said and was not touched says no, as it shows', () => {
  const asked: JsonSchema = {
    required: ['remote', 'sure'],
    properties: {
      remote: { type: 'boolean' },
      sure: { type: 'boolean' },
      fast: { type: 'boolean' },
    },
  };
  const input = { ...beginning(asked), form: { sure: true } };
  expect(checked(input, asked)).toEqual({ value: { remote: false, sure: true } });
});

test.each([
  ['input: "cv" is a required property', 'cv', 'This is required.'],
  ['input: age: "x" is not of type "integer"', 'age', '"x" is not of type "integer"'],
  ['input: "x" is not of type "object"', '', '"x" is not of type "object"'],
])('a refusal stands at its field: %s', (message, path, words) =>
  expect(refusalAt(message, inputs)).toMatchObject({ path, message: words }),
);

test('a refusal of something else is at no field', () =>
  expect(refusalAt('the budget is spent', inputs)).toBeNull());

test('texts stand in large boxes, choices do not, and emptied ones are not sent', () => {
  const { properties = {} } = roomy(inputs);
  expect(properties['cv']?.['x-widget']).toBe('text');
  expect(properties['plan']?.['x-widget']).toBeUndefined();
  expect(withoutEmpty({ name: '', age: 0 })).toEqual({ age: 0 });
});

test('an empty text gives way to the form once fields are declared, what was written does not', () => {
  const fields = { type: 'object', properties: { cv: { type: 'string', examples: ['Ada'] } } };
  const empty = beginning(undefined);

  expect(suited(empty, fields)).toMatchObject({ how: 'form', form: { cv: 'Ada' } });
  expect(suited({ ...empty, text: 'Hello' }, fields).how).toBe('text');
  expect(suited({ ...empty, how: 'form' }, undefined).how).toBe('text');
});
