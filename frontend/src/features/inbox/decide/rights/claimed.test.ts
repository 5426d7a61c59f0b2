import { expect, test } from 'vitest';
import { claimedText, otherAt } from './claimed.ts';

const by = (id: string, name: string) => ({
  claim: { by: { id, name }, at: '2026-01-01T00:00:00Z' },
});
const free = { claim: null };

test('somebody else is at what they claimed, one is not at what oneself claimed', () => {
  expect([
    otherAt(free, 'me'),
    otherAt(by('me', 'Ada'), 'me'),
    otherAt(by('b', 'Bo'), 'me'),
  ]).toEqual([null, null, 'Bo']);
});

test('many items say once who claimed some of them', () => {
  expect(claimedText([free, by('me', 'Ada')], 'me')).toBe('');
  expect(claimedText([by('b', 'Bo'), free], 'me')).toBe(
    'One of them is claimed by Bo, who may be deciding now.',
  );
  expect(claimedText([by('b', 'Bo'), by('c', 'Cy'), by('b', 'Bo')], 'me')).toBe(
    '3 of them are claimed by Bo, Cy, who may be deciding now.',
  );
});
