import { expect, it } from 'vitest';
import { emptyRecords } from '../../../../graph/document/document.ts';
import type { Dispute } from '../../../../graph/document/patch.ts';
import { sideText, titleOf, toldOf, whoOf } from './words.ts';

const node = { id: 'check', label: 'Check wages', config: { prompt: 'Look' } };
const dispute = (more: Partial<Dispute>): Dispute => ({
  kind: 'node',
  id: 'check',
  base: node,
  mine: node,
  theirs: node,
  fields: ['config.prompt'],
  ...more,
});

it.each([
  [dispute({}), 'Bea changed the prompt of “Check wages” too.'],
  [dispute({ theirs: null, fields: [''] }), 'Bea deleted “Check wages”, which you changed.'],
  [dispute({ mine: null, fields: [''] }), 'Bea changed “Check wages”, which you deleted.'],
  [dispute({ fields: ['label', 'config.prompt'] }), 'Bea changed “Check wages” too.'],
  [dispute({ kind: 'setting', id: 'goal', fields: [''] }), 'Bea changed “Goal” too.'],
])('what both did is one sentence (%#)', (each, said) => {
  expect(toldOf([each], 'Bea', emptyRecords)).toBe(said);
});

it('a wire is called by its ends, never by its id', () => {
  const wire = { id: 'e1', source: '__start__', target: 'check' };
  const records = { ...emptyRecords, nodes: new Map([['check', { ...node, type: 'agent' }]]) };

  expect(titleOf(dispute({ kind: 'edge', id: 'e1', mine: wire, theirs: wire }), records)).toBe(
    'Wire from Start to Check wages',
  );
});

it('a side that is whole is told in words', () => {
  expect([sideText(node, ''), sideText(null, ''), sideText(node, 'config.model')]).toEqual([
    'As it stands, with its wires',
    'Deleted',
    'not set',
  ]);
});

it('a thing of a list is found by its id', () => {
  const agents = [{ id: 'a' }, { id: 'b', model: 'local/x' }];

  expect([sideText(agents, 'b.model'), sideText(agents, 'c')]).toEqual(['local/x', 'not set']);
});

it('names who is at the node, else who alone is here, else nobody', () => {
  const at = new Map([['check', [{ name: 'Bea', color: 'red' }]]]);

  expect(whoOf([dispute({})], at, ['Bea', 'Cy'])).toBe('Bea');
  expect(whoOf([dispute({})], new Map(), ['Cy'])).toBe('Cy');
  expect(whoOf([dispute({})], new Map(), ['Bea', 'Cy'])).toBe('Somebody else');
});
