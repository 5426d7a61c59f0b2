import { expect, it } from 'vitest';
import { changesText } from '../../../run/values/edits.ts';
import { shownChanges } from './shown.ts';

const money = { type: 'number', format: 'money', 'x-unit': 'USD', title: 'Sum to pay' } as const;

it('calls what was edited as the item does, with its values as they are shown', () => {
  const changes = [
    { key: 'sum', before: 261.1, after: 200 },
    { key: 'reply', before: 'a'.repeat(60), after: 'b' },
    { key: 'body', before: { amount: 40, to: 'x' }, after: { amount: 25, to: 'x' } },
  ];

  expect(changesText(shownChanges(changes, { sum: money }))).toBe(
    'Sum to pay $261.10 → $200.00, Reply, Body amount 40.00 → 25.00',
  );
});
