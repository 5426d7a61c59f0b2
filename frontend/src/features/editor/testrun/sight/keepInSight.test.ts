// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { between } from './useKeepInSight.ts';

function stage(width: number, outline: boolean): HTMLElement {
  const element = document.createElement('div');
  element.dataset['outline'] = String(outline);
  Object.defineProperties(element, {
    clientWidth: { value: width },
    clientHeight: { value: 700 },
  });
  return element;
}

test('cards are seen between the panels, and on a phone above the inspector', () => {
  expect(between(stage(1228, false), true)).toEqual({ left: 76, right: 884, bottom: 628 });
  expect(between(stage(1228, true), true).left).toBe(400);
  const alone = stage(1228, false);
  alone.dataset['inspector'] = 'false';
  expect(between(alone, true).right).toBe(1204);
  const phone = between(stage(390, true), true);
  expect(phone).toEqual({ left: 24, right: 366, bottom: 294 });
});
