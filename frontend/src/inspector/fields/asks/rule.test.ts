import { expect, it } from 'vitest';
import { askingWhen, EVERY, rowsOf, whenOf, withRule } from './rule.ts';

it('shows the tools of the agent, those with a rule, and all others', () => {
  expect(rowsOf(['pay'], { 'stripe/*': {}, [EVERY]: {} })).toEqual(['pay', 'stripe/*', EVERY]);
});

it('asks always where a rule does not say when, and never without one', () => {
  expect([whenOf({}), whenOf(undefined), whenOf({ when: 'first' })]).toEqual([
    'always',
    'never',
    'first',
  ]);
});

it('keeps who decides, and the condition only where there is one', () => {
  const rule = { when: 'expression', expression: 'arguments.n > 1', eligible: ['user:ann'] };
  expect(askingWhen(rule, 'first')).toEqual({ when: 'first', eligible: ['user:ann'] });
  expect(askingWhen(rule, 'expression').expression).toBe('arguments.n > 1');
  expect(askingWhen(undefined, 'expression').expression).toBe('arguments.amount > 100');
});

it('drops a rule that never asks, unless a wider one would', () => {
  const never = { when: 'never' };
  expect(withRule({ pay: {} }, 'pay', never)).toBeUndefined();
  expect(withRule({ pay: {}, mail: {} }, 'pay', never)).toEqual({ mail: {} });
  expect(withRule({ [EVERY]: {} }, 'pay', never)).toEqual({ [EVERY]: {}, pay: never });
  expect(withRule({ 'stripe/*': {} }, 'stripe/list', never)).toHaveProperty('stripe/list');
});
