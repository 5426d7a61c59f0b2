// @vitest-environment jsdom
import { fireEvent, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { belongsToControl, isTyping, useActions, useShortcuts } from './registry.ts';

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

const menuButton = (open: boolean) =>
  made(`<button aria-haspopup="menu" aria-expanded="${open}"></button>`);

it('keeps the keys of the page from an open menu, also before the focus is in it', () => {
  const run = vi.fn();
  const action = { id: 'a', label: 'A', group: 'G', keys: ['A'], run };
  renderHook(() => {
    useShortcuts();
    useActions([action]);
  });
  menuButton(true);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(run).not.toHaveBeenCalled();

  made('<div role="menu"></div>');
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(run).not.toHaveBeenCalled();

  menuButton(false);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(run).toHaveBeenCalledOnce();
});

it('keeps a browser from taking back what was typed while one is in no field', () => {
  renderHook(() => useShortcuts());
  const goesOn = (on: Element, more: object = {}) =>
    fireEvent.keyDown(on, { key: 'z', ctrlKey: true, ...more });

  expect(goesOn(made('<a href="/b"></a>'))).toBe(false);
  expect(goesOn(made('<textarea></textarea>'))).toBe(true);
  expect(goesOn(made('<a href="/b"></a>'), { ctrlKey: false })).toBe(true);
});
