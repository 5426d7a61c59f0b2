import type { Policy } from '../../../graph/policy/policy.ts';
import type { Slot } from '../../../graph/policy/words.ts';

/** What a part of the sentence asks. */
export const titles: Readonly<Record<Slot, string>> = {
  rule: 'How many must agree',
  people: 'Who may decide',
  own: 'Not their own work',
  veto: 'What a no does',
  reason: 'When a reason is needed',
  remind: 'When to remind',
  escalate: 'Whom to ask too',
  late: 'If nobody decides in time',
  confirm: 'A second look',
};

/** The property that a part of the sentence says; the deadline stands beside the policy. */
export const properties: Readonly<Record<Exclude<Slot, 'late'>, keyof Policy>> = {
  rule: 'rule',
  people: 'eligible',
  own: 'four_eyes',
  veto: 'veto',
  reason: 'require_reason',
  remind: 'reminders',
  escalate: 'escalation',
  confirm: 'confirm',
};
