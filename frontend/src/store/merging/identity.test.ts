import { expect, test } from 'vitest';
import { goesOnAs, sameNode } from './identity.ts';

test('a node stays the same under each new id, and another one of its first id is another', () => {
  expect(sameNode('first_id')).toBe('first_id');
  goesOnAs('first_id', 'read_cv');
  goesOnAs('read_cv', 'extract');

  expect(sameNode('extract')).toBe('first_id');
  expect(sameNode('first_id')).not.toBe('first_id');
  expect(sameNode('other')).toBe('other');
});

test('nodes that had one id after each other are as many', () => {
  goesOnAs('agent', 'agent_2');
  goesOnAs('agent', 'agent_3');

  expect(new Set(['agent', 'agent_2', 'agent_3'].map(sameNode)).size).toBe(3);
});
