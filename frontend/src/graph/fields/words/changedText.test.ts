import { expect, it } from 'vitest';
import { changedText } from './changedText.ts';

it.each([
  ['config.timeout_ms', 172_800_000, '2 days'],
  ['config.policy.escalation.after_ms', 5_400_000, '1 hour 30 minutes'],
  ['config.policy.reminders', [3_600_000, 86_400_000], '1 hour, 1 day'],
  ['config.policy.eligible', ['group:finance', 'group:legal'], 'group:finance, group:legal'],
  ['config.timeout_ms', '=memory.wait', '=memory.wait'],
  ['config.atoms', 4, '4'],
  ['config.policy.reminders', [], '[]'],
  ['config.policy.rule', { at_least: 2 }, '{"at_least":2}'],
])('%s of %j is read as words', (path, value, words) => {
  expect(changedText(path, value)).toBe(words);
});
