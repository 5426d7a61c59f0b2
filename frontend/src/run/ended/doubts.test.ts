import { expect, test } from 'vitest';
import type { InterruptView } from '../fold/model.ts';
import { cancelledWords, saidOfDoubt, warningOf } from './doubts.ts';

const label = (node: string) => node.toUpperCase();
const asked = (node: string, kind: InterruptView['kind'], outcome: InterruptView['outcome']) =>
  ({ node, kind, outcome }) as InterruptView;
const by = (reason: string | null) => ({ status: 'cancelled' as const, reason, by: 'ann' });
const pay = { a: asked('pay', 'in_doubt', 'superseded') };
const twice = { ...pay, b: asked('pay', 'in_doubt', null), c: asked('post', 'in_doubt', null) };
const known = {
  a: asked('pay', 'in_doubt', 'answered'),
  b: asked('review', 'approval', 'superseded'),
};
const UNKNOWN = 'Nobody said whether PAY happened. Look there before you run it again.';

test.each([
  [known, 'cancelled', 'No reason was given.'],
  [known, null, 'No reason was given.'],
  [known, 'budget_gone', 'budget gone'],
  [pay, 'cancelled', UNKNOWN],
  [pay, 'wrong order', `wrong order. ${UNKNOWN}`],
])('a cancelled run says what is not known of it: %j %s', (interrupts, reason, words) => {
  expect(cancelledWords({ interrupts, ending: by(reason) }, label)).toBe(words);
});

test.each([
  [known, ''],
  [pay, 'Whether PAY happened stays unknown, and nobody is asked any more.'],
  [twice, 'Whether PAY and POST happened stays unknown, and nobody is asked any more.'],
])('who cancels is told first what stays unknown: %j', (interrupts, words) => {
  expect(warningOf({ interrupts }, label)).toBe(words);
});

const sent = {
  reason: 'unknown_outcome',
  method: 'POST',
  url: 'https://pay.example/pay?key=1',
};
const nameOf = (id: string) => (id === 'ann' ? 'Ann' : 'Raul');
const answered = (decision: string, change: Partial<InterruptView> = {}) => ({
  ...asked('pay', 'in_doubt', 'answered'),
  request: sent,
  decision,
  by: 'ann',
  standsFor: null,
  ...change,
});

test.each([
  [
    answered('skip'),
    'Ann skipped this step: whether POST https://pay.example/pay happened stays unknown',
  ],
  [
    answered('skip', { standsFor: 'raul' }),
    'Ann, for Raul skipped this step: whether POST https://pay.example/pay happened stays unknown',
  ],
  [
    answered('skip', { request: { reason: 'code_changed' } }),
    'Ann skipped this step instead of trying it again',
  ],
  [
    answered('happened', { request: { ...sent, tool: 'send_mail' } }),
    'Ann said that “send_mail” happened',
  ],
  [answered('retry'), 'Ann asked to send POST https://pay.example/pay again'],
  [answered('happened', { by: null }), 'The answer of POST https://pay.example/pay came after all'],
  [answered('skip', { outcome: null }), null],
  [answered('approved', { kind: 'approval' }), null],
])('a step tells what was said of its call in doubt: %#', (interrupt, words) => {
  expect(saidOfDoubt(interrupt, nameOf)).toBe(words);
});
