import type { Interrupt } from '../../api/types/types.ts';

/** What an item says of people when nobody has done anything about it yet; for tests and previews. */
export const untouched = {
  why_me: null,
  my_decision: null,
  quorum: null,
  edited_by: null,
  changes: [],
  shown_prompt: null,
  asked_again: null,
  eligible: [],
  eligible_count: 0,
  places: [],
  away: [],
  not_mine_to_edit: {},
  reminded_at: null,
  next_reminder_at: null,
  escalated: null,
  claim: null,
  snoozed_until: null,
  delegation: null,
  comments: 0,
  asked_back: [],
  held: null,
  deciding: [],
  amount: null,
  risk: null,
} satisfies Partial<Interrupt>;
