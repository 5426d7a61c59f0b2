import { expect, it } from 'vitest';
import { expressionOf, letterOf, textOf } from './asText.ts';

it.each([
  ['"Dear " + input.name + ", hello"', 'Dear {{ input.name }}, hello'],
  ["'a + b' + memory.x", 'a + b{{ memory.x }}'],
  ['"line\\nnext"', 'line\nnext'],
  ['memory.a + 1', '{{ memory.a + 1 }}'],
  ['previous', '{{ previous }}'],
  ['', ''],
])('%s as a text', (expression, text) => {
  expect(textOf(expression)).toBe(text);
});

it.each([
  ['Dear {{ input.name }}, hello', '"Dear " + string(input.name) + ", hello"'],
  ['{{ previous }}', 'previous'],
  ['plain "words"', '"plain \\"words\\""'],
  ['', ''],
])('%s as an expression', (text, expression) => {
  expect(expressionOf(text)).toBe(expression);
});

it('a letter that was written as an expression keeps its words and gets its values', () => {
  const names = ['input.name', 'previous'];

  expect(letterOf('Dear input.name, we write e.g. to you.', names)).toBe(
    'Dear {{ input.name }}, we write e.g. to you.',
  );
});
