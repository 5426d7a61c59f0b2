import { expect, test } from 'vitest';
import { actionName, entryPlace, particulars } from './entries.ts';

test('entries and their particulars are told in words', () => {
  expect(actionName('member.role_changed')).toBe('Member role changed');
  expect(particulars({ fields: ['text', 'tags'], role: 'viewer', value_replaced: true })).toBe(
    'fields: text, tags · role: viewer · value replaced: true',
  );
  expect(particulars({ graph: null, limit: 2 })).toBe('limit: 2');
  expect(particulars({})).toBe('');
  expect(actionName('interrupt.decided')).toBe('Decided');
  expect(actionName('graph.created')).toBe('Workflow created');
  expect(particulars({ held_ms: 8164 })).toBe('could be taken back for: 8.2 s');
});

test('an edited approval says both values, and ids are told by name', () => {
  const detail = {
    run: 'r-1',
    via: 'page',
    changes: [{ key: 'amount', before: '77.08', after: '12.50', by: 'u', seq: 4 }],
  };
  expect(particulars(detail, { 'r-1': 'Refunds r-1' })).toBe(
    'edited: amount 77.08 → 12.50 · run: Refunds r-1 · via: page',
  );
  expect(particulars({ comment: { sha256: 'a', bytes: 5002 } })).toBe(
    'comment: 5002 bytes, kept as a hash',
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
