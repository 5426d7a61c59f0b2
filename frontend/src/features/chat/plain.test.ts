import { expect, test } from 'vitest';
import { plainText, valueIn } from './plain.ts';

test('what cannot be seen is not shown, what is text stays', () => {
  expect(plainText('a\u202egnp.exe\u0007\u200b\r\nb\tc')).toBe('agnp.exe\nb\tc');
  expect(plainText('<b onclick="x">ü 👩‍🚀</b>')).toBe('<b onclick="x">ü 👩‍🚀</b>');
});

test('only text that is JSON as a whole is a value', () => {
  expect(valueIn('{"a": 1}')).toEqual({ a: 1 });
  expect(valueIn('[1] and more')).toBeUndefined();
  expect(valueIn('42')).toBeUndefined();
});
