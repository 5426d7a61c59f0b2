// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NoteWords } from './NoteWords.tsx';

afterEach(cleanup);

const html = (text: string) => render(<NoteWords text={text} />).container;

test('headings, lists, code, strength and links are drawn', () => {
  const drawn = html('# Why\n- **first** `x`\n2. *second*\n[docs](https://example.org/a)');
  expect(
    [...drawn.querySelectorAll('strong, code, em')].map((element) => element.textContent),
  ).toEqual(['first', 'x', 'second']);
  expect(drawn.querySelector('a')?.getAttribute('href')).toBe('https://example.org/a');
  expect(drawn.textContent).toBe('Why•first x2.seconddocs');
});

test('markup and other addresses stay text', () => {
  const drawn = html('<img src=x onerror=alert(1)> [a](javascript:alert(1)) 2 * 3 * 4');
  expect(drawn.querySelector('img, a')).toBeNull();
  expect(drawn.textContent).toContain('[a](javascript:alert(1))');
});
