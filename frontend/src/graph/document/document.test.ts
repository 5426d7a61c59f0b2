import { expect, test } from 'vitest';
import type { GraphDoc } from '../../api/types/types.ts';
import { freeId, toDocument, toRecords } from './document.ts';

const document: GraphDoc = {
  graphwright: 1,
  id: 'support',
  name: 'Support',
  goal: 'Answer',
  limits: { budget_usd: '1.50' },
  nodes: [
    { id: 'a', type: 'agent', metadata: { owner: 'finance' } },
    { id: 'b', type: 'tool' },
  ],
  edges: [{ id: 'e1', source: 'a', target: 'b', when: 'yes' }],
  notes: [{ id: 'n', kind: 'note', text: 'hi', position: { x: 1, y: 2 } }],
};

test('a document survives the way through records, node metadata included (K5)', () => {
  expect(toDocument(toRecords(document), document)).toEqual(document);
});

test('edges without an id get the same id on every load', () => {
  const bare = {
    ...document,
    edges: [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'b', when: 'x' },
    ],
  };

  const first = [...toRecords(bare).edges.keys()];

  expect(new Set(first).size).toBe(2);
  expect([...toRecords(bare).edges.keys()]).toEqual(first);
});

test('a free id reads like the wish and is an id', () => {
  expect(freeId('HTTP request', new Set())).toBe('HTTP_request');
  expect(freeId('agent', new Set(['agent']))).toBe('agent_2');
  expect(freeId('agent_2', new Set(['agent_2', 'agent_3']))).toBe('agent_4');
  expect(freeId('2nd try!', new Set())).toBe('nd_try');
});
