import { expect, it } from 'vitest';
import type { HeldAnswer } from '../../../../api/types/types.ts';
import { isUnused, unusedText, unusedTitle } from './notUsed.ts';

const held = (part: Partial<HeldAnswer>): HeldAnswer => ({
  decision: 'approved',
  comment: null,
  edits: null,
  stands_for: 'Raul',
  commit_at: '2026-11-25T08:00:00Z',
  state: 'refused',
  code: 'NotEligible',
  detail: 'the approval names other people',
  ...part,
});
const refused = (part: Partial<HeldAnswer>) => ({
  held: held(part),
  away: [],
  can_decide: false,
  status: 'open' as const,
  my_decision: null,
});

it('says that who was away is back and decides', () => {
  expect(unusedText(refused({}))).toBe('Raul is back, so yours no longer counts; Raul decides.');
  expect(unusedTitle(refused({ decision: 'rejected' }))).toBe('Your rejection was not used');
});

it('says the reason where they are still away, or it was decided as oneself', () => {
  const raul = { id: 'r', name: 'Raul' };
  const away = [{ absent: raul, to: raul, until: '2026-11-25', why_not: null }];

  expect(unusedText({ ...refused({}), away })).toBe('The approval names other people.');
  expect(unusedText(refused({ stands_for: null }))).toBe('The approval names other people.');
  expect(unusedText(refused({ code: 'ContentChanged' }))).toMatch(/^Its content changed/);
});

it('asks to decide again only who still can', () => {
  expect(unusedTitle({ ...refused({}), can_decide: true })).toBe('Decide again');
  expect(isUnused(refused({}))).toBe(true);
  expect(isUnused({ ...refused({}), my_decision: 'approved' })).toBe(false);
  expect(isUnused({ ...refused({}), status: 'answered' })).toBe(false);
});
