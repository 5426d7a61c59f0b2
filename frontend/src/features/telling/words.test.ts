import { describe, expect, it } from 'vitest';
import type { Channel, Notice, Rule } from '../../api/http/workspace/telling.ts';
import { aboutOf, eventsFor, noticeName, quietText, ruleText, toldOf, troubleOf } from './words.ts';

const rule = (fields: Partial<Rule>): Rule => ({
  id: 'r',
  channel: { id: 'c', name: 'Slack #ops' },
  kinds: ['run.failed', 'approval.opened'],
  graph: null,
  folder: '',
  tag: '',
  minutes: null,
  mine: false,
  when: 'at_once',
  at: '08:00',
  ...fields,
});
const channel = (fields: Partial<Channel>): Channel => ({
  id: 'c',
  of: 'workspace',
  kind: 'slack',
  name: 'Slack #ops',
  hint: 'hooks.slack.com/…abcd',
  verified_at: '2026-11-24T08:00:00Z',
  code_until: null,
  on: true,
  off_why: '',
  zone: 'UTC',
  quiet: null,
  former_secret_until: null,
  ...fields,
});
const notice = (fields: Partial<Notice>): Notice => ({
  id: 'n',
  channel: { id: 'c', name: 'Slack #ops' },
  kind: 'run.failed',
  state: 'sent',
  status: 200,
  reason: '',
  tries: 1,
  at: '2026-11-24T08:00:00Z',
  next_at: null,
  done_at: null,
  run: null,
  item: null,
  rejected: false,
  workflow: 'Refunds',
  run_title: 'order 7',
  ...fields,
});

describe('a rule about a place', () => {
  it('says for how long, in which folder and with which tag', () => {
    const line = ruleText(
      rule({ kinds: ['item.waiting'], minutes: 90, folder: 'Support', tag: 'urgent' }),
    );
    expect(line).toBe(
      'Item waits too long (90 minutes) in Support tagged urgent → Slack #ops at once',
    );
  });
});

describe('rules in words', () => {
  it('are one line', () => {
    expect(ruleText(rule({}))).toBe('Approval waits, run failed → Slack #ops at once');
    expect(ruleText(rule({ kinds: ['run.failed'], when: 'daily', mine: true }), 'Refunds')).toBe(
      'Run failed (my runs) of Refunds → Slack #ops daily at 08:00',
    );
  });
  it('of mail of one’s own do not ask for what waits, which is chosen by itself', () => {
    const asked = (of: Channel['of'], kind: Channel['kind']) =>
      eventsFor(channel({ of, kind })).flatMap(({ items }) => items.map(({ value }) => value));
    expect(asked('me', 'mail')).not.toContain('approval.opened');
    expect(asked('me', 'slack')).toContain('approval.opened');
    expect(asked('workspace', 'mail')).toContain('approval.opened');
  });
});

describe('channels in words', () => {
  it('say when they are quiet and what keeps them from being told', () => {
    expect(quietText(channel({ quiet: { begin: '20:00', end: '07:00' } }))).toBe(
      'quiet 20:00–07:00',
    );
    expect(troubleOf(channel({}))).toBeNull();
    expect(troubleOf(channel({ verified_at: null }))).toBe('Waits for a test');
    expect(troubleOf(channel({ of: 'me', verified_at: null }))).toBe('Waits for its code');
    expect(troubleOf(channel({ on: false, off_why: 'it is gone' }))).toBe('Went off: it is gone');
  });
});

describe('notices in words', () => {
  it('say what became of them', () => {
    expect(noticeName(notice({}))).toBe('Run failed');
    expect(aboutOf(notice({}))).toBe('Refunds · order 7');
    expect(aboutOf(notice({ run_title: '' }))).toBe('Refunds');
    expect(noticeName(notice({ rejected: true }))).toBe('Run rejected');
    expect(toldOf(notice({}))).toBe('Sent, answered 200');
    expect(
      toldOf(notice({ state: 'waiting', status: 500, reason: 'answered 500', tries: 3 })),
    ).toBe('Waits, answered 500, 3 tries');
  });
});
