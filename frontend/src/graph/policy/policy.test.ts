import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, Member } from '../../api/types/types.ts';
import { entriesOf, entryWords, isEmptyGroup, isKnown, NOBODY, readEntry } from './entries.ts';
import { policyNames, readPolicy, ruleJson, withPart } from './policy.ts';
import { sentence, textOf, unsaid } from './words.ts';

const DAY = 86_400_000;
const bare = (entry: string) => entry.replace(/^\w+:/, '');
const said = (policy: Json, late: Parameters<typeof sentence>[2] = null) => {
  const found = readPolicy(policy);
  return found && textOf(sentence(found, bare, late));
};

describe('a policy in a sentence', () => {
  it.each<[JsonObject, string]>([
    [{}, 'Approved when any one of all reviewers agrees.'],
    [{ rule: 'all', eligible: ['group:legal'] }, 'Approved when everyone of legal agrees.'],
    [
      { rule: { at_least: 2 }, eligible: ['group:finance', 'group:legal'], four_eyes: ['starter'] },
      'Approved when 2 of finance, legal agree, not who started it; a no counts.',
    ],
    [
      { rule: 'per_group', eligible: ['group:a', 'group:b'], veto: true, require_reason: 'reject' },
      'Approved when one of each of a, b agrees; a no ends it; a reason for a no.',
    ],
    [
      { reminders: [2 * DAY, DAY], escalation: { after_ms: 2 * DAY, to: 'group:leads' } },
      'Approved when any one of all reviewers agrees. Reminds after 1 d and 2 d. Asks leads too after 2 days.',
    ],
    [
      { eligible: ['=memory.owner'], confirm: 'type', four_eyes: ['starter', 'editor'] },
      'Approved when any one of =memory.owner agrees, not who started it or who edited it. Approving takes typing the amount.',
    ],
  ])('%j', (policy, expected) => {
    expect(said(policy)).toBe(expected);
  });

  it('says what follows when nobody decides', () => {
    expect(said({}, { after_ms: 3 * DAY, to: null })).toMatch(
      /If nobody decides within 3 days, it counts as rejected\.$/,
    );
    expect(said({}, { after_ms: DAY, to: 'Ask Rita' })).toMatch(
      /within 1 day, it goes to Ask Rita\.$/,
    );
  });

  it('stays short whatever it holds, and offers what it does not say', () => {
    const many = Array.from({ length: 500 }, (_, n) => `group:g${n}`);
    const text = said({ eligible: many, reminders: many.map((_, n) => n) }) ?? '';
    expect(text.length).toBeLessThan(200);
    expect(text).toContain('and 494 more');

    const policy = readPolicy({ four_eyes: ['starter'], confirm: 'type' });
    const offered = policy && unsaid(sentence(policy, bare, null)).map(([slot]) => slot);
    expect(offered).toEqual(['reason', 'remind', 'escalate']);
  });
});

describe('what no sentence says', () => {
  it.each<Json>([
    'text',
    5,
    [],
    { rule: 'most' },
    { rule: { at_least: 1.5 } },
    { rule: { at_least: 2, of: 3 } },
    { eligible: 'group:a' },
    { eligible: [1] },
    { four_eyes: ['author'] },
    { veto: 'yes' },
    { reminders: [-1] },
    { escalation: { after_ms: 1, to: [], why: '' } },
    { escalation: {} },
    { confirm: 'twice' },
  ])('%j is left as it is written', (policy) => {
    expect(readPolicy(policy)).toBeNull();
  });
});

describe('an edit', () => {
  it('patches its own property, in its place, and leaves the others as they were', () => {
    const written = {
      veto: false,
      escalation: { to: 'group:leads', after_ms: 5 },
      eligible: null,
      'x-own': [1],
      rule: 'any',
    };
    for (const name of policyNames) {
      const next = withPart(written, name as 'rule', 'NEW');
      const expected = { ...written, [name]: 'NEW' };
      expect(JSON.stringify(next)).toBe(JSON.stringify(expected));
    }
    expect(JSON.stringify(withPart(written, 'veto', undefined))).toBe(
      JSON.stringify({ ...written, veto: undefined }),
    );
  });

  it('of the last property leaves no policy behind', () => {
    expect(withPart({ veto: true }, 'veto', undefined)).toBeUndefined();
    expect(withPart(undefined, 'rule', ruleJson(2))).toEqual({ rule: { at_least: 2 } });
    expect(ruleJson('any')).toBeUndefined();
  });
});

describe('people, groups and roles', () => {
  const member = (name: string, role: string, groups: string[] = []) =>
    ({
      id: `m-${name}`,
      user: { id: `id-${name}`, name, email: `${name}@x.test` },
      role,
      groups,
    }) as Member;
  const members = [
    member('Rita', 'reviewer', ['finance']),
    member('Ada', 'admin', ['finance', 'legal']),
    member('Ada', 'viewer'),
  ];
  const known = entriesOf(members);

  it('are offered with what they are', () => {
    expect(known.map(({ entry }) => entry)).toEqual([
      'group:finance',
      'group:legal',
      'user:Rita@x.test',
      'user:Ada@x.test',
      'user:Ada@x.test',
      'role:reviewer',
      'role:operator',
      'role:admin',
    ]);
    expect(known[0]).toMatchObject({ label: 'finance', hint: 'group, 2 people' });
  });

  it('are offered as groups also where nobody is in them, and that is said', () => {
    const offered = entriesOf(members, ['finance', 'auditors']);
    const [empty] = offered.filter(({ entry }) => entry === 'group:auditors');

    expect(empty).toMatchObject({ label: 'auditors', hint: `group, ${NOBODY}` });
    expect(offered.filter(({ entry }) => entry === 'group:finance')).toHaveLength(1);
    expect(readEntry('auditors', offered)).toEqual({ entry: 'group:auditors' });
    expect(isEmptyGroup('group:auditors', members, ['auditors'])).toBe(true);
    expect(isEmptyGroup('group:finance', members, ['finance'])).toBe(false);
    expect(isEmptyGroup('group:gone', members, ['auditors'])).toBe(false);
  });

  it('are called by their names', () => {
    expect(entryWords('user:rita@X.test', members)).toBe('Rita');
    expect(entryWords('user:id-Rita', members)).toBe('Rita');
    expect(entryWords('role:reviewer', members)).toBe('reviewers');
    expect(entryWords('group:finance', members)).toBe('finance');
    expect(isKnown('group:finance', members)).toBe(true);
    expect(isKnown('group:fnance', members)).toBe(false);
    expect(isKnown('user:', members)).toBe(false);
    expect(isKnown('=memory.x', members)).toBe(true);
  });

  it.each([
    ['finance', 'group:finance'],
    [' RITA ', 'user:Rita@x.test'],
    ['rita@x.test', 'user:Rita@x.test'],
    ['role:admin', 'role:admin'],
    ['=memory.owner', '=memory.owner'],
  ])('typed as %s', (text, entry) => {
    expect(readEntry(text, known)).toEqual({ entry });
  });

  it('that are not there are told', () => {
    expect(readEntry('finence', known)).toEqual({
      wrong: 'No group and nobody here is called “finence”. Groups: finance, legal.',
    });
    expect(readEntry('group:leads', known)).toEqual({
      wrong: 'Nobody here is in the group “leads”.',
      keep: 'group:leads',
    });
    expect(readEntry('ada', known)).toEqual({
      wrong: 'More than one is called “ada”: choose in the list.',
    });
    expect(readEntry('=', known)).toHaveProperty('wrong');
  });
});
