import { expect, it } from 'vitest';
import { changedText } from './changedText.ts';

it.each([
  ['config.timeout_ms', 172_800_000, '2 days'],
  ['config.policy.escalation.after_ms', 5_400_000, '1 hour 30 minutes'],
  ['config.policy.reminders', [3_600_000, 86_400_000], '1 hour, 1 day'],
  ['config.policy.eligible', ['group:finance', 'group:legal'], 'finance, legal'],
  ['config.policy.escalation.to', ['role:admin'], 'admin'],
  [
    'config.policy.escalation',
    { after_ms: 3_600_000, to: 'group:leads' },
    'Asks leads too after 1 hour.',
  ],
  ['config.policy.four_eyes', ['starter'], 'not who started it'],
  ['config.policy.veto', true, 'a no ends it'],
  ['config.policy.require_reason', 'reject', 'for a no'],
  ['config.policy.confirm', 'type', 'typing the amount'],
  [
    'config.policy',
    { rule: { at_least: 2 }, eligible: ['group:legal'] },
    'Approved when 2 of legal agree; a no counts.',
  ],
  ['config.policy', { rule: 'odd' }, 'Rule: odd'],
  ['config.timeout_ms', '=memory.wait', '=memory.wait'],
  ['config.atoms', 4, '4'],
  ['config.policy.reminders', [], 'nothing'],
  ['config.policy.rule', { at_least: 2 }, '2 must agree'],
  ['config.policy.rule', 'per_group', 'one of each must agree'],
  ['config.policy.rule.at_least', 3, '3'],
  [
    'limits',
    { budget_usd: '0.50', max_execution_time_ms: 60_000 },
    'Budget: $0.50, Max execution time: 1 minute',
  ],
  ['limits.budget_usd', '0.50', '$0.50'],
  [
    'state_schema',
    { properties: { level: { type: 'string' }, age: { type: 'number' } } },
    'level (text), age (number)',
  ],
  ['interface', { inputs: { properties: { cv: { type: 'string' } } } }, 'Inputs: (cv (text))'],
  ['interface.inputs.properties.age', { type: 'number' }, 'number'],
  ['config.strict', false, 'no'],
  [
    'config.labels',
    [{ id: 'bill', label: 'A bill' }, { id: 'rest' }],
    '(Id: bill, Label: A bill), (Id: rest)',
  ],
  ['read_keys', ['input', 'level'], 'input, level'],
])('%s of %j is read as words', (path, value, words) => {
  expect(changedText(path, value)).toBe(words);
});

it('people are called by the name that the workspace has for them', () => {
  const name = (entry: string) => (entry === 'user:rita@example.org' ? 'Rita' : entry);
  expect(changedText('config.policy.eligible', ['user:rita@example.org'], name)).toBe('Rita');
});
