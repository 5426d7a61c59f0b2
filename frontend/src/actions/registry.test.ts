import { beforeEach, expect, test } from 'vitest';
import { type Action, actionFor, keysOf, runAction, useRegistry } from './registry.ts';

const stroke = (key: string, ctrlKey = false) => ({
  key,
  code: '',
  ctrlKey,
  metaKey: false,
  shiftKey: false,
  altKey: false,
});
let ran: string[] = [];
const action = (id: string, keys: string[], more: Partial<Action> = {}): Action => ({
  id,
  label: id,
  group: 'Test',
  keys,
  run: () => ran.push(id),
  ...more,
});

beforeEach(() => {
  ran = [];
  useRegistry.setState({
    scopes: [
      {
        id: 1,
        actions: [
          action('outer', ['D']),
          action('save', ['Mod+S'], { whileTyping: true }),
          action('copy', ['Mod+C'], { native: true }),
        ],
      },
    ],
    rebound: {},
    singleKeys: true,
  });
});

test('the inner scope wins, unless its action cannot run now', () => {
  useRegistry.setState((state) => ({
    scopes: [...state.scopes, { id: 2, actions: [action('inner', ['D'])] }],
  }));
  expect(actionFor(stroke('d'), false)?.id).toBe('inner');

  useRegistry.setState((state) => ({
    scopes: [
      ...state.scopes.slice(0, 1),
      { id: 2, actions: [action('inner', ['D'], { enabled: () => false })] },
    ],
  }));
  expect(actionFor(stroke('d'), false)?.id).toBe('outer');
});

test('while typing only what asks for it runs; native keys are left to the browser', () => {
  expect(actionFor(stroke('d'), true)).toBeNull();
  expect(actionFor(stroke('s', true), true)?.id).toBe('save');
  expect(actionFor(stroke('c', true), false)).toBeNull();
});

test('single keys can be switched off, and any key rebound', () => {
  useRegistry.setState({ singleKeys: false });
  expect(actionFor(stroke('d'), false)).toBeNull();

  useRegistry.setState({ rebound: { outer: ['Mod+E'] } });
  expect(keysOf(action('outer', ['D']))).toEqual(['Mod+E']);
  expect(actionFor(stroke('e', true), false)?.id).toBe('outer');
});

test('an action runs by id when it can', () => {
  expect([runAction('outer'), runAction('nothing'), ran]).toEqual([true, false, ['outer']]);
});
