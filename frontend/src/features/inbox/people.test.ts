import { describe, expect, it } from 'vitest';
import type { Interrupt, Quorum, Said } from '../../api/types/types.ts';
import {
  briefProgressOf,
  namesOf,
  othersText,
  progressOf,
  refusedText,
  ruleText,
  snoozeChoices,
  whyMeText,
} from './people.ts';

const quorum = (part: Partial<Quorum>): Quorum => ({
  rule: 'at_least',
  needed: 2,
  remaining: 1,
  missing: [],
  approvals: [],
  reachable: true,
  no_ends_it: true,
  ...part,
});
const people = (...names: string[]) => names.map((name) => ({ name }));

describe('people of an approval', () => {
  it('names a few and counts the rest', () => {
    expect(namesOf(people('Ann'))).toBe('Ann');
    expect(namesOf(people('Ann', 'Bob'))).toBe('Ann and Bob');
    expect(namesOf(people('Ann', 'Bob', 'Cat', 'Dan'), 9)).toBe('Ann, Bob, Cat and 6 more');
  });

  it('tells how far it is, and nothing where one decision is enough', () => {
    expect(progressOf(quorum({}))).toBe('1 of 2 approved');
    expect(briefProgressOf(quorum({}))).toBe('1 of 2');
    expect(progressOf(quorum({ rule: 'any', needed: 1 }))).toBeNull();
    expect(progressOf(null)).toBeNull();
  });

  it('tells who said no to what others could still approve', () => {
    const said = (id: string, decision: Said['decision']) => ({
      by: { id, name: id },
      stands_for: null,
      at: '2026-11-29T07:00:00Z',
      decision,
      comment: null,
    });
    const refused = (status: string, my_decision: string | null, ...approvals: Said[]) =>
      refusedText({ status, my_decision, quorum: quorum({ approvals }) } as Interrupt);

    expect(refused('open', null, said('Ann', 'approved'))).toBe('');
    expect(refused('open', null, said('Ann', 'approved'), said('Raul', 'rejected'))).toBe(
      'Raul rejected',
    );
    expect(refused('open', 'rejected', said('Raul', 'rejected'))).toBe('you rejected');
    expect(refused('open', 'rejected', said('Raul', 'rejected'), said('Ann', 'rejected'))).toBe(
      '2 rejected',
    );
    expect(refused('answered', null, said('Raul', 'rejected'))).toBe('');
  });

  it('tells who is away from who can decide too', () => {
    const raul = { id: 'raul', name: 'Raul' };
    const kim = { id: 'kim', name: 'Kim' };
    const away = [{ absent: raul, to: kim, until: '2026-11-25', why_not: null }];
    const said = (eligible: (typeof raul)[], can_decide = true) =>
      othersText({ eligible, eligible_count: eligible.length, can_decide, away });

    expect(said([raul])).toBe('Raul can still decide.');
    expect(said([kim, raul])).toBe('Kim can decide too; Raul can still decide.');
    expect(said([kim])).toBe('Kim can decide too.');
    expect(said([raul], false)).toBe('Raul can decide.');
    expect(said([])).toBeNull();
  });

  it('says in one sentence why one is asked and that nobody else can', () => {
    const why = 'It asks everybody with the role admin.';
    const asked = quorum({ rule: 'any', needed: 1 });

    expect(whyMeText({ eligible_count: 0, quorum: asked }, why)).toBe(
      'It asks everybody with the role admin; today you are the only one who can.',
    );
    expect(whyMeText({ eligible_count: 2, quorum: asked }, why)).toBe(why);
    expect(whyMeText({ eligible_count: 0, quorum: null }, why)).toBe(why);
  });

  it('says what the rule asks for', () => {
    expect(ruleText(quorum({ needed: 3 }))).toBe('3 people must approve');
    expect(ruleText(quorum({ needed: 1 }))).toBe('One approval is enough');
    expect(ruleText(quorum({ rule: 'all' }))).toBe('All 2 people asked must approve');
  });

  it('offers to snooze until before the deadline only', () => {
    const friday = new Date(2026, 10, 20, 15, 30);
    const labels = (deadline: Date | null) =>
      snoozeChoices(friday, deadline?.toISOString() ?? null).map((choice) => choice.label);

    expect(labels(null)).toEqual([
      'In an hour',
      'In four hours',
      'Tomorrow at nine',
      'Monday at nine',
    ]);
    expect(labels(new Date(2026, 10, 20, 18, 0))).toEqual(['In an hour']);
    expect(snoozeChoices(friday, null).at(-1)?.until).toEqual(new Date(2026, 10, 23, 9, 0));
    expect(labels(new Date(2026, 10, 20, 16, 0))).toEqual([]);
  });
});
