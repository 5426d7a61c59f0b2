import { expect, test } from 'vitest';
import { deedName, particulars } from './AuditSettings.tsx';

test('deeds and their particulars are told in words', () => {
  expect(deedName('member.role_changed')).toBe('Member role changed');
  expect(particulars({ fields: ['text', 'tags'], role: 'viewer', value_replaced: true })).toBe('fields: text, tags · role: viewer · value replaced: true');
  expect(particulars({ graph: null, limit: 2 })).toBe('limit: 2');
  expect(particulars({})).toBe('');
});
