// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { belowIn } from './useBelow.ts';

/** An element that stands at `top` and is `height` pixels high. */
const standing = (element: Element | null, top: number, height: number) => {
  if (element) element.getBoundingClientRect = () => new DOMRect(0, top, 100, height);
};

const within = (element: HTMLElement, top: number, height: number) => {
  standing(element, top, height);
  Object.defineProperty(element, 'clientHeight', { value: height, configurable: true });
};

test('rows are below once their middle is, or once the sums stand over it', () => {
  document.body.innerHTML =
    '<div><table><tbody><tr></tr><tr></tr><tr></tr></tbody><tfoot></tfoot></table></div>';
  const box = document.querySelector('div');
  if (!box) throw new Error('nothing was made');
  within(document.body, 0, 600);
  within(box, 100, 130);
  standing(document.querySelector('tfoot'), 200, 30);
  const rows = document.querySelectorAll('tr');
  rows.forEach((row, at) => standing(row, 100 + at * 40, 40)); // middles at 120, 160, 200

  expect(belowIn(box)).toBe(0);
  rows.forEach((row, at) => standing(row, 101 + at * 40, 40));
  expect(belowIn(box)).toBe(1);
  rows.forEach((row, at) => standing(row, 0 + at * 40, 40)); // scrolled to the end
  expect(belowIn(box)).toBe(0);
});

test('rows are below where the box itself ends below what is in sight', () => {
  document.body.innerHTML = '<div><table><tbody><tr></tr><tr></tr></tbody></table></div>';
  const box = document.querySelector('div');
  if (!box) throw new Error('nothing was made');
  within(box, 100, 130);
  document.querySelectorAll('tr').forEach((row, at) => standing(row, 100 + at * 40, 40));

  within(document.body, 0, 150);
  expect(belowIn(box)).toBe(1);
  within(document.body, 0, 230);
  expect(belowIn(box)).toBe(0);
});
