import { expect, it } from 'vitest';
import { inWords } from './json.ts';

it('says a plain object in words, and cuts what is long', () => {
  expect(inWords({ mood: 'praise', stars_given: 5 })).toBe('mood: praise · stars given: 5');
  expect(inWords(['a', 1])).toBe('["a",1]');
  expect(inWords({ $blob: 'ab', bytes: 70_000 })).toContain('$blob');
  expect(inWords({ text: 'x'.repeat(300) }, 20)).toHaveLength(20);
});
