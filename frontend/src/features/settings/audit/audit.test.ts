import { expect, test } from 'vitest';
import { actionName, entryPlace, subjectName } from './entries.ts';
import { particulars, partsOf } from './particulars.ts';

test('entries and their particulars are told in words', () => {
  expect(actionName('member.role_changed')).toBe('Member role changed');
  expect(particulars({ fields: ['text', 'tags'], role: 'viewer', value_replaced: true })).toBe(
    'fields: text, tags · role: viewer · value replaced: yes',
  );
  expect(particulars({ graph: null, limit: 2 })).toBe('limit: 2');
  expect(particulars({})).toBe('');
  expect(actionName('interrupt.decided')).toBe('Decided');
  expect(actionName('graph.created')).toBe('Workflow created');
  expect(actionName('interrupt.unclaimed')).toBe('Claim given up');
  expect(actionName('session.opened')).toBe('Signed in');
  expect(actionName('interrupt.asking_answered')).toBe('Question answered');
  expect(particulars({ reason: 'content_changed' })).toBe('the content was edited since');
  expect(particulars({ held_ms: 8164 })).toBe('could be taken back for: 8.2 s');
});

test('an edited approval says both values, and ids are told by name', () => {
  const detail = {
    run: 'r-1',
    via: 'page',
    changes: [{ key: 'amount', before: '77.08', after: '12.50', by: 'u', seq: 4 }],
  };
  expect(particulars(detail, { 'r-1': 'Refunds r-1' })).toBe(
    'edited: amount 77.08 → 12.50 · run: Refunds r-1 · on the page',
  );
  expect(particulars({ comment: { sha256: 'a', bytes: 5002 } })).toBe(
    'comment: 5,002 bytes, kept as a hash',
  );
});

test('edits of several people each say whose they are', () => {
  const changes = [
    { key: 'amount', before: 77.08, after: 12.5, by: 'u', seq: 5 },
    { key: 'amount', before: 12.5, after: 12.75, by: 'v', seq: 7 },
  ];
  expect(particulars({ changes }, { u: 'Ada', v: 'Grace' })).toBe(
    'edited: amount 77.08 → 12.5 by Ada, amount 12.5 → 12.75 by Grace',
  );
});

test('an entry leads to its subject while that is there', () => {
  const entry = {
    n: 1,
    at: '',
    actor: null,
    action: 'run.cancelled',
    target: 'r',
    target_name: 'Refunds',
    detail: {},
    names: {},
    hash: '',
  };
  expect(entryPlace(entry)).toBe('/runs/r');
  expect(entryPlace({ ...entry, target_name: null })).toBeNull();
  expect(entryPlace({ ...entry, action: 'member.added' })).toBeNull();
});

test('policies are words, runs are links, hashes are cut and last', () => {
  const hash = '1369138fec648f8dbdaa347e180b9dd5f397bac96aa16915e84499fc82d14e75';
  const policy = {
    eligible: ['group:finance', 'user:u'],
    four_eyes: ['starter'],
    reminders: [],
    require_reason: 'reject',
    rule: { at_least: 2 },
    veto: true,
  };
  const names = { u: 'Ada', r: 'Refunds r' };

  expect(particulars({ content_hash: hash, policy }, names)).toBe(
    'policy: 2 of finance, Ada; not the starter; a no ends it; a reason for a no · content hash: 1369138f…',
  );
  expect(particulars({ policy: { four_eyes: [], rule: 'any' } })).toBe(
    'policy: any one of all reviewers',
  );
  expect(partsOf({ run: 'r', parent: 'gone' }, names)).toEqual([
    { text: 'run: Refunds r', to: '/runs/r' },
    { text: 'parent: gone' },
  ]);
  expect(particulars({ to: ['role:operator', 'group:legal'], window_minutes: 60 })).toBe(
    'to: Operators, legal · within: 1 h',
  );
});

test('what a run goes on for is a link, and what an alert watches is words', () => {
  const forked_from = { run_id: 'r', seq: 2 };
  expect(partsOf({ forked_from }, { r: 'Refunds K-4700' })).toEqual([
    { text: 'again after Refunds K-4700', to: '/runs/r' },
  ]);
  expect(particulars({ forked_from })).toBe('again after a run that is gone');
  expect(particulars({ what: 'provider_down' })).toBe('watches: a provider that does not answer');
});

test('steps are called as people call them, where they have a name', () => {
  const names = { 'node:pay_out': 'Pay the customer', pay_out: 'nobody' };
  const said = particulars(
    { node: 'pay_out', until: 'pay_out', pins: ['pay_out', 'plain'], breakpoints: ['plain'] },
    names,
  );

  expect(said).toBe(
    'step: Pay the customer · until: Pay the customer · pinned: Pay the customer, plain · stops before: plain',
  );
});

test('moments are times, workflows have their names, and nothing is said twice', () => {
  const until = Date.parse('2026-11-27T16:00:00Z');
  const names = { 'graph:hello': 'Greeter', v: 'version 1', hello: 'nobody' };
  const said = particulars({ until, graph: 'hello', version_id: 'v' }, names);

  expect(said).toContain('2026');
  expect(said).not.toContain(String(until));
  expect(said).toContain('workflow: Greeter · version 1');
  expect(said).not.toContain('version: version');
});

test('a budget is named by what it limits, also once it is gone', () => {
  const entry = {
    n: 1,
    at: '',
    actor: null,
    action: 'budget.deleted',
    target: 'c9527d42-0000-4000-8000-000000000000',
    target_name: null,
    detail: { graph: 'g', period: 'month' },
    names: { g: 'Greeter' },
    hash: '',
  };
  expect(subjectName(entry)).toBe('Greeter per month');
  expect(subjectName({ ...entry, detail: { graph: null, period: 'total' } })).toBe(
    'The workspace in all',
  );
  expect(subjectName({ ...entry, action: 'bulk.stopped' })).toBe('c9527d42…');
});

test('the settings of a trigger are told in words and names', () => {
  const event = { on: ['run.failed', 'item.waiting'], workflow: 'g-1', minutes: null };
  expect(particulars({ config: event, on: true }, { 'g-1': 'Nightly sync' })).toBe(
    'settings: on a run failed, an item waits for long, workflow Nightly sync · on: yes',
  );
  const due = { cron: '0 8 * * 1-5', zone: 'Europe/Berlin', missed: 'skip' };
  expect(particulars({ config: due })).toBe(
    'settings: due Monday to Friday at 08:00, time zone Europe/Berlin, times missed leave them out',
  );
  expect(particulars({ config: { signature: 'github', answer_s: 0 } })).toBe(
    'settings: signed as GitHub, answers at once, without the result',
  );
  expect(particulars({ config: { signature: 'slack', max_kib: 2048 } })).toBe(
    'settings: signed as Slack, at most 2,048 KiB a call',
  );
  expect(particulars({ rules: [{ key: 'a' }, { key: 'b' }] })).toBe('rules: key a; key b');
});

test('numbers have separators and units, and an empty list says nothing', () => {
  const limits = { limit_tokens: 1_000_000_000, limit_usd: '1250.5', fields: [] };
  expect(particulars(limits)).toBe('at most 1,000,000,000 tokens · at most $1,250.50');
  expect(particulars({ rows: 25_000, number: 2026 })).toBe('rows: 25,000 · version: 2026');
});

test('the answer to a form is no setting, whatever its fields are called', () => {
  const answer = {
    limit_usd: 'high',
    number: 5,
    expires_at: 'soon',
    constructor: 'x',
    missed: ['a'],
  };
  expect(particulars({ answer })).toBe(
    'answer: limit usd high, number 5, expires at soon, constructor x, missed a',
  );
  expect(particulars({ limit_usd: '1e999999', expires_at: 'soon', limit_tokens: 1 })).toBe(
    'at most: 1e999999 · until: soon · at most 1 token',
  );
});

test('no word that somebody wrote takes the page down', () => {
  expect(particulars({ comment: 'constructor' })).toBe('comment: constructor');
  expect(particulars({ reason: 'toString' })).toBe('reason: toString');
  expect(particulars({ answer: { sha256: 'mine' } })).toBe('answer: sha256 mine');
  expect(particulars({ what: 'valueOf', by: 'user:constructor' })).toBe(
    'what: valueOf · by: constructor',
  );
});

test('what a token may is told as its page says it', () => {
  expect(
    particulars(
      { scopes: ['runs:start', 'workflows:read'], graphs: ['g-1'] },
      { 'g-1': 'Refunds' },
    ),
  ).toBe('may: start workflows, read workflows · workflows: Refunds');
  expect(particulars({ scopes: ['*'] })).toBe('may: everything that its owner may');
});
