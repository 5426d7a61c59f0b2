import { expect, test } from 'vitest';
import { toRecords } from '../document/document.ts';
import { findText, replaceText } from './replace.ts';

const records = toRecords({
  graphwright: 1,
  id: 'g',
  nodes: [
    {
      id: 'refund',
      type: 'agent',
      label: 'Refund',
      config: { prompt: 'Refund it. A refund is $& money.', agent_id: 'r' },
    },
    { id: 'b', type: 'other', label: 'Other', config: {} },
  ],
  edges: [{ id: 'e', source: 'refund', target: 'b', condition: "memory.kind == 'refund'" }],
});

test('a text is found in every case, in labels, config and conditions, never in ids', () => {
  expect(findText(records, 'refund').map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'node label',
    'node config.prompt',
    'edge condition',
  ]);
  expect(findText(records, '')).toEqual([]);
});

test('every occurrence is replaced as it is written, and what has none stays the same object', () => {
  const after = replaceText(records, 'refund', '$& (credit)');
  expect(after.nodes.get('refund')).toMatchObject({
    id: 'refund',
    label: '$& (credit)',
    config: { prompt: '$& (credit) it. A $& (credit) is $& money.', agent_id: 'r' },
  });
  expect(after.edges.get('e')?.condition).toBe("memory.kind == '$& (credit)'");
  expect(after.nodes.get('b')).toBe(records.nodes.get('b'));
});
