import { expect, it } from 'vitest';
import { conditionsOf, conditionWords, howsOf, whereOf, withCondition } from './conditions.ts';
import type { OfferedField } from './query.ts';

const field = (kind: OfferedField['kind'], more: Partial<OfferedField> = {}): OfferedField => ({
  name: 'x',
  kind,
  title: '',
  unit: '',
  choices: [],
  ...more,
});

it('reads what it writes, colons in values included', () => {
  const where = 'amount:more:100\nurl:is:https://a.example:80';

  expect(whereOf(conditionsOf(where))).toBe(where);
  expect(conditionsOf('amount\n:is:3\namount:over:3\namount:is: ')).toEqual([]);
  expect([conditionsOf(undefined), whereOf([])]).toEqual([[], null]);
});

it('adds a condition once, on one line', () => {
  const one = { name: 'company', how: 'contains', value: ' Acme\nGmbH ' } as const;
  const where = withCondition('amount:more:100', one);

  expect(where).toBe('amount:more:100\ncompany:contains:Acme GmbH');
  expect(withCondition(where ?? undefined, one)).toBe(where);
});

it('says a number as the items show it', () => {
  const told = (name: string, value: string, unit = '') =>
    conditionWords({ name, how: 'more', value }, field('number', { unit }));

  expect(told('amount', '2000', 'USD')).toBe('Amount more than $2,000.00');
  expect(told('amount', '2000')).toBe('Amount more than 2,000.00');
  expect(told('stay', '2000', 'days')).toBe('Stay more than 2000 days');
  expect(told('stay', 'a lot', 'USD')).toBe('Stay more than a lot');
});

it('says a condition in words, with the unit and Yes for true', () => {
  const amount = { name: 'amount_due', how: 'more', value: '100' } as const;

  expect(conditionWords(amount, field('number', { unit: 'USD' }))).toBe(
    'Amount due more than $100.00',
  );
  expect(conditionWords({ name: 'late', how: 'is', value: 'true' }, field('yes_no'))).toBe(
    'Late is Yes',
  );
  expect(conditionWords({ name: 'input.firm', how: 'contains', value: 'a' }, undefined)).toBe(
    'Firm contains a',
  );
  expect(howsOf(field('number')).map((each) => each.label)).toEqual([
    'more than',
    'less than',
    'is',
  ]);
});
