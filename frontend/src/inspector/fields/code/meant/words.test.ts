import { expect, test } from 'vitest';
import { meantWords, wordsOf } from './words.ts';

const under = (text: string, ...words: string[]) =>
  meantWords(
    text,
    words.map((word) => ({ word, severity: 'warning' })),
  ).map(({ from, to }) => [from, text.slice(from, to)]);

test('each mention is underlined, and nothing that only looks like it', () => {
  expect(under('level + levels + a.level + level', 'level')).toEqual([
    [0, 'level'],
    [27, 'level'],
  ]);
});

test('in a text with values only what stands in a value', () => {
  expect(under('outputs.ghost {{ outputs.ghost }} outputs.ghost', 'outputs.ghost')).toEqual([
    [17, 'outputs.ghost'],
  ]);
  expect(under('Dear {{ input.x', '{{ input.x')).toEqual([[5, '{{ input.x']]);
});

test('a line is drawn once: what is an error covers what is not', () => {
  const meant = wordsOf([
    { severity: 'warning', code: 'a', message: '', path: '', words: ['input.cv'] },
    { severity: 'error', code: 'b', message: '', path: '', words: ['input.cv'] },
  ]);

  expect(meantWords('input.cv', meant)).toEqual([{ from: 0, to: 8, severity: 'error' }]);
});

test('a long text with many mentions is looked through at once', () => {
  const text = '{{ input.cv }} '.repeat(200);

  expect(under(text, 'input.cv')).toHaveLength(200);
});
