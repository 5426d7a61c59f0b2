// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { belongsToControl, isTyping } from './registry.ts';

function made(html: string): Element {
  document.body.innerHTML = html;
  const [element] = document.body.children;
  if (!element) throw new Error('nothing was made');
  return element;
}
const kept = (html: string, ...keys: string[]) => {
  const target = made(html);
  return keys.filter((key) => belongsToControl({ key, target }));
};

it('takes letters for text only where they are written', () => {
  expect(isTyping(made('<input>'))).toBe(true);
  expect(isTyping(made('<input type="number">'))).toBe(true);
  expect(isTyping(made('<textarea></textarea>'))).toBe(true);
  expect(isTyping(made('<input type="checkbox">'))).toBe(false);
  expect(isTyping(made('<input type="radio">'))).toBe(false);
});

it('leaves a control the keys that it has a use for', () => {
  expect(kept('<button></button>', 'Enter', 'ArrowDown', 'Tab')).toHaveLength(3);
  expect(kept('<a href="/b"></a>', 'Enter', 'a')).toEqual(['Enter']);
  expect(kept('<input type="checkbox">', 'Enter', ' ', 'ArrowDown', 'Tab')).toEqual([' ', 'Tab']);
  expect(kept('<input type="radio">', 'Enter', 'ArrowDown')).toEqual(['ArrowDown']);
});

it('leaves a link to what is open nothing but Tab', () => {
  expect(kept('<a href="/b" aria-current="true"></a>', 'Enter', 'ArrowDown', 'Tab')).toEqual([
    'Tab',
  ]);
});
