// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { keepTyped, PALETTE, takeTyped } from './earlyKeys.ts';

const press = (key: string, target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

test('letters typed before the palette is there are kept for it, and reach nothing else', () => {
  keepTyped(PALETTE);
  for (const key of ['r', 'i', 'x', 'Backspace', 't', 'a']) expect(press(key)).toBe(false);

  expect(takeTyped()).toEqual({ text: 'rita', entered: false });
  expect(press('r')).toBe(true);
  expect(takeTyped()).toEqual({ text: '', entered: false });

  keepTyped(PALETTE);
  for (const key of ['Enter', 'a', 'Enter']) press(key);
  expect(takeTyped()).toEqual({ text: 'a', entered: true });
});

test('once its field has the focus, or it was closed, keys go their way', () => {
  const field = document.createElement('input');
  field.setAttribute('aria-label', PALETTE);
  document.body.append(field);
  keepTyped(PALETTE);
  expect(press('a', field)).toBe(true);
  expect(press('b')).toBe(true);

  keepTyped(PALETTE);
  press('a');
  press('Escape');
  expect(takeTyped()).toEqual({ text: '', entered: false });
});

test('keys that would move or delete on the page behind are kept from it, and Escape leaves', () => {
  const left = vi.fn();
  keepTyped(PALETTE, left);
  for (const key of ['Delete', 'ArrowLeft', 'Tab']) expect(press(key)).toBe(false);
  expect(press('Escape')).toBe(false);
  expect(left).toHaveBeenCalledOnce();
  expect(press('o')).toBe(true);
});
