// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { goToRegion } from './regions.ts';

/** The editor of an empty workflow: what it says to do first lies in no part. */
const EMPTY = `
  <header data-region="bar"><a href="/" id="back">Back to workflows</a></header>
  <div data-region="canvas" tabindex="0" id="canvas"></div>
  <aside data-region="palette"><input id="search"></aside>
  <div><button id="first-step">Add a node</button></div>`;

const stands = () => document.activeElement?.id;

beforeEach(() => {
  document.body.innerHTML = EMPTY;
  // jsdom lays nothing out
  vi.spyOn(HTMLElement.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
});

afterEach(() => (document.body.innerHTML = ''));

test('one press goes from nowhere to the drawing, then on through the parts and round', () => {
  const parts = [1, 2, 3, 4].map(() => {
    goToRegion(1);
    return stands();
  });
  expect(parts).toEqual(['canvas', 'search', 'back', 'canvas']);
});

test('one press goes back from nowhere to the bar', () => {
  goToRegion(-1);
  expect(stands()).toBe('back');
  goToRegion(-1);
  expect(stands()).toBe('search');
});

test('from what lies in no part one press goes to the drawing', () => {
  document.querySelector<HTMLElement>('#first-step')?.focus();
  goToRegion(1);
  expect(stands()).toBe('canvas');
});

test('what is inert is no part', () => {
  document.querySelector('#canvas')?.setAttribute('inert', '');
  goToRegion(1);
  expect(stands()).toBe('search');
});
