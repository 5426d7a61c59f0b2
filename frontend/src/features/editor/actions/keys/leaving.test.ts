// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { useRegistry } from '../../../../actions/registry.ts';
import { beginLeaving, leavesByTab } from './leaving.ts';
import { goToRegion } from './regions.ts';

const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));

afterEach(() => useRegistry.setState({ singleKeys: true }));

it('leaves by Tab after Escape, until something else is done', () => {
  expect(leavesByTab()).toBe(false);
  beginLeaving();
  press('Tab');
  expect(leavesByTab()).toBe(true);
  press('a');
  expect(leavesByTab()).toBe(false);
});

it('leaves by Tab where single keys are off', () => {
  useRegistry.setState({ singleKeys: false });

  expect(leavesByTab()).toBe(true);
});

it('goes round the parts that are shown, and back to where it was in each', () => {
  document.body.innerHTML = `
    <header data-region="bar"><button id="one">1</button><button id="two">2</button></header>
    <div data-region="canvas" id="canvas" tabindex="0"></div>
    <aside data-region="hidden" inert><button>no</button></aside>
    <aside data-region="panel"><input id="field" /></aside>`;
  Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList;
  const at = () => document.activeElement?.id;
  const seen = [1, 1, 1, 1].map((by) => {
    goToRegion(by as 1);
    return at();
  });
  expect(seen).toEqual(['canvas', 'field', 'one', 'canvas']);

  document.getElementById('two')?.focus();
  goToRegion(-1);
  goToRegion(1);
  expect(at()).toBe('two');
});
