import { describe, expect, it } from 'vitest';
import type { AlertRule } from '../../../api/http/alerts.ts';
import { kinds, mailWords, ruleSentence, usualRules, windowName } from './words.ts';

const rule = (part: Partial<AlertRule>): AlertRule => ({
  id: 'x',
  what: 'failures',
  threshold: 1,
  threshold_usd: null,
  window_minutes: 60,
  graph: null,
  to: [],
  muted_until: null,
  open: null,
  ...part,
});

describe('alerts in words', () => {
  it('say what is counted, where, and in which time', () => {
    expect(ruleSentence(rule({}))).toBe('1 run or more failed within an hour');
    expect(
      ruleSentence(rule({ what: 'waiting', threshold: 3, graph: { id: 'g', name: 'Refunds' } })),
    ).toBe('3 items or more in Refunds waited for over an hour');
    expect(ruleSentence(rule({ what: 'spend', threshold: null, threshold_usd: '2.5' }))).toBe(
      '$2.50 or more were spent in a day',
    );
    expect(windowName(120)).toBe('2 hours');
    expect(windowName(1)).toBe('a minute');
  });

  it('have words for every kind, and the usual ones name a threshold', () => {
    for (const { value } of kinds) expect(ruleSentence(rule({ what: value }))).not.toBe('');
    expect(usualRules(['role:operator']).every((each) => (each.threshold ?? 0) > 0)).toBe(true);
  });
});

it('says whom a rule tells, on a server without mail, too', () => {
  const to = ['Operators', 'Admins'];

  expect(mailWords(to, true)).toBe('Mail to Operators, Admins');
  expect(mailWords(to, false)).toBe(
    'On the dashboard only; mail to Operators, Admins once this server sends mail',
  );
  expect(mailWords([], false)).toBe('On the dashboard only');
  expect(mailWords(to, true, '2999-01-02T09:00:00')).toBe(
    'Mail to Operators, Admins · muted until 2 Jan 2999 09:00',
  );
});
