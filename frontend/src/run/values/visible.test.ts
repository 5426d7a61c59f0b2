import { expect, it } from 'vitest';
import { brief } from './json.ts';
import { changesText } from './edits.ts';
import { isReordered, visible } from './visible.ts';

const TURNED = 'DE\u202e21\u202c99';
const SEEN = 'DE⟨U+202E⟩21⟨U+202C⟩99';

it('shows what would reorder a text', () => {
  expect(visible(TURNED)).toBe(SEEN);
  expect(visible('a\u2066b\u2069')).toBe('a⟨U+2066⟩b⟨U+2069⟩');
  expect([isReordered(TURNED), isReordered('שלום \u200fü')]).toEqual([true, false]);
});

it('shows it in short values and in what was changed', () => {
  expect(brief([TURNED])).toContain(SEEN);
  expect(changesText([{ key: 'iban', before: 'DE1', after: TURNED }])).toContain(SEEN);
});
