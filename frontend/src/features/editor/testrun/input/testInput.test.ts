import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../api/types/types.ts';
import {
  beginning,
  fitted,
  refitted,
  shownAs,
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

test.each([
  [
    { message: 'Hi', amount: 3 },
    { complaint: 'Hi', amount: 3 },
  ],
  [{ message: 'Hi', note: 'x', amount: 3 }, { amount: 3 }],
  [
    { complaint: 'Hi', amount: 3, note: 'x' },
    { complaint: 'Hi', amount: 3 },
  ],
  [
    { complaint: 'Hi', amount: 3, constructor: 'x' },
    { complaint: 'Hi', amount: 3 },
  ],
])(
  'a kept input follows a field to its new name, and what is declared no more is left out',
  (form, fits) => {
    const inputs: JsonSchema = {
      type: 'object',
      properties: { complaint: { type: 'string' }, amount: { type: 'number' } },
      additionalProperties: false,
    };

    expect(fitted(form, inputs)).toEqual(fits);
    expect(fitted(form, { ...inputs, additionalProperties: true })).toEqual(form);
  },
);

test('a form and its JSON show the same, and a lone node gets the fields of now', () => {
  const declared: JsonSchema = {
    type: 'object',
    properties: { complaint: { type: 'string' }, amount: { type: 'number' } },
    required: ['complaint'],
    additionalProperties: false,
  };
  const form = { ...beginning(declared), form: { complaint: 'Hi', amount: 3 } };
  const json = { ...form, ...shownAs(form, 'json', declared) };

  expect(JSON.parse(json.json)).toEqual({ complaint: 'Hi', amount: 3 });
  expect(shownAs({ ...json, json: '{"amount": 4}' }, 'form', declared)).toEqual({
    how: 'form',
    form: { amount: 4 },
  });
  expect(refitted({ message: 'Old', amount: 1 }, form, declared)).toEqual({
    complaint: 'Old',
    amount: 1,
  });
  expect(refitted('text', form, declared)).toBe('text');
});
