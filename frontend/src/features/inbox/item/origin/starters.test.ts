import { expect, test } from 'vitest';
import { narrowedTo, startedBy, triggersIn } from './starters.ts';

const row = (trigger: { id: string; name: string } | null) => ({
  run: { trigger, graph: { id: 'g', slug: 'g', name: 'Refunds' } },
});

test('the triggers of what is listed and of the chosen workflow are offered once each', () => {
  const rows = [row({ id: '1', name: 'Orders' }), row(null), row({ id: '9', name: '' })];
  const known = [
    { id: '1', name: 'Orders', graph: { name: 'Refunds' } },
    { id: '2', name: 'Mondays', graph: { name: 'Refunds' } },
  ];

  expect(triggersIn(rows, known, '7')).toEqual([
    { value: 'trigger:2', label: 'Refunds: Mondays' },
    { value: 'trigger:9', label: 'Refunds: one that is gone' },
    { value: 'trigger:1', label: 'Refunds: Orders' },
    { value: 'trigger:7', label: 'The chosen trigger' },
  ]);
  expect(triggersIn([row(null)], [], undefined)).toEqual([]);
});

test.each([
  [null, { starter: null, trigger: null }],
  ['ann', { starter: 'ann', trigger: null }],
  ['trigger:1', { starter: null, trigger: '1' }],
])('a choice (%s) narrows to a person or a trigger', (choice, narrowed) => {
  expect(narrowedTo(choice)).toEqual(narrowed);
  const filter = Object.fromEntries(Object.entries(narrowed).filter(([, id]) => id !== null));
  expect(startedBy(filter)).toBe(choice);
});
