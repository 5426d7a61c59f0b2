import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NoteWords } from '../canvas/cards/NoteWords.tsx';
import { plainText, valueIn } from '../features/chat/plain.ts';
import { freeId, looksLikeDocument } from '../graph/document/document.ts';
import { normalPath } from '../inspector/form/context.ts';
import { placeInside } from '../inspector/focus.ts';
import { addDecimal } from '../run/values/decimal.ts';

/** What makes a pattern that matches in two ways, or starts anew at every place, slow. */
const pumped = (size: number): string[] => [
  '['.repeat(size),
  '[a'.repeat(size / 2),
  '_'.repeat(size) + '-',
  '_1'.repeat(size / 2) + 'x',
  '\n'.repeat(size),
  '"nodes"' + ' '.repeat(size),
  '# ' + ' '.repeat(size) + '\rx\r',
  '- ' + '\t'.repeat(size) + '\rx\r',
  '[a](http://x'.repeat(size / 12),
  '*'.repeat(size),
  '`'.repeat(size),
  '**a'.repeat(size / 3),
  '1'.repeat(size) + 'e',
];

const readers: Record<string, (text: string) => unknown> = {
  normalPath,
  placeInside,
  looksLikeDocument,
  plainText,
  valueIn,
  freeId: (text) => freeId(text, new Set()),
  NoteWords: (text) => renderToStaticMarkup(<NoteWords text={text.replaceAll('\n', ' ')} />),
  decimal: (text) => addDecimal(text.slice(0, 2000), '1'),
};

const taken = (read: ((text: string) => unknown) | undefined, text: string): number => {
  const began = performance.now();
  try {
    read?.(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
  return performance.now() - began;
};

test.each(Object.keys(readers))('%s reads long text in time that grows with it', (name) => {
  const short = pumped(30_000);
  for (const [at, text] of pumped(120_000).entries()) {
    const quarter = taken(readers[name], short[at] ?? '');
    // what grows with the square takes sixteen times as long; the rest is for a busy machine
    expect(taken(readers[name], text), text.slice(0, 12)).toBeLessThan(10 * quarter + 500);
  }
});

test('the patterns still say what they said', () => {
  expect(normalPath("nodes[2].config['a b']")).toBe("nodes.2.config.'a b'");
  expect(freeId('__Ünder score__', new Set())).toBe('nder_score');
  expect(looksLikeDocument('{\n  "nodes": []')).toBe(true);
  expect(looksLikeDocument('nodes of a tree')).toBe(false);
  expect(renderToStaticMarkup(<NoteWords text={'##  Head\n-  [a](https://b.c/d)'} />)).toContain(
    'href="https://b.c/d"',
  );
});
