import { StringStream } from '@codemirror/language';
import { expect, it } from 'vitest';
import type { Language } from './CodeField.tsx';
import { parserOf } from './languages.ts';

/** The coloured words of a text: `[word, colour]`. */
function coloured(language: Language, text: string): [string, string][] {
  const parser = parserOf(language);
  const state = parser.startState?.(2) ?? { inside: false };
  return text.split('\n').flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const found: [string, string][] = [];
    while (!stream.eol()) {
      const colour = parser.token(stream, state);
      if (colour) found.push([stream.current(), colour]);
      stream.start = stream.pos;
    }
    return found;
  });
}

it('an expression has names, fields, words, values and texts', () => {
  expect(coloured('expression', 'memory.topic == "a\\"b" && has(x) || 1.5e3 > true')).toEqual([
    ['memory', 'variableName'],
    ['.topic', 'propertyName'],
    ['"a\\"b"', 'string'],
    ['has', 'keyword'],
    ['x', 'variableName'],
    ['1.5e3', 'number'],
    ['true', 'bool'],
  ]);
});

it('a text that is not closed is a text to the end of the line', () => {
  expect(coloured('expression', "'never ends size")).toEqual([["'never ends size", 'string']]);
});

it('a name that only begins like a word is a name', () => {
  expect(coloured('expression', 'sizes')).toEqual([['sizes', 'variableName']]);
});

it('a template is text but for what stands between braces, also over lines', () => {
  expect(coloured('template', 'Dear {{ input.name }}, size\n{{ 1\n}} true')).toEqual([
    ['{{', 'bracket'],
    ['input', 'variableName'],
    ['.name', 'propertyName'],
    ['}}', 'bracket'],
    ['{{', 'bracket'],
    ['1', 'number'],
    ['}}', 'bracket'],
  ]);
});

it('JSON tells names from texts', () => {
  expect(coloured('json', '{"a": "b", "c" : [-1.5, null]}')).toEqual([
    ['"a"', 'propertyName'],
    ['"b"', 'string'],
    ['"c"', 'propertyName'],
    ['-1.5', 'number'],
    ['null', 'bool'],
  ]);
});
