// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Coded } from './Coded.tsx';

function shown(text: string): string {
  return render(<Coded text={text} />).container.innerHTML;
}

test('what stands between backticks is code', () => {
  expect(shown('Name `a` and `b.c`.')).toBe('Name <code>a</code> and <code>b.c</code>.');
  expect(shown('no code')).toBe('no code');
});

test('a backtick without its second stays what it is', () => {
  expect(shown('`a` or `b')).toBe('<code>a</code> or `b');
  expect(shown('`')).toBe('`');
  expect(shown('')).toBe('');
});
