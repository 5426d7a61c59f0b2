import { expect, test } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import type { ActivationView } from '../../../../run/fold/model.ts';
import { endedBefore, waysOn } from './path.ts';

const at = (second: number) => Date.parse(`2026-11-21T10:00:0${second}Z`);
const activation = (node: string, endedAt: number | null) => ({ node, endedAt }) as ActivationView;

test('what a decision started does not stand before the item that it decided', () => {
  const activations = {
    'read#1': activation('read', at(1)),
    'ask#1': activation('ask', at(5)),
    'pay#1': activation('pay', at(6)),
    'beside#1': activation('beside', null),
  };
  const view = { order: Object.keys(activations), activations };

  expect(
    endedBefore(view, { node: 'ask', opened_at: '2026-11-21T10:00:02Z' }).map(({ node }) => node),
  ).toEqual(['read']);
});

test('once an item is decided, the way that was taken stands after it alone', () => {
  const edges = [{ on: null }, { on: 'rejected' }, { on: 'timed_out' }];
  const ways = (status: Interrupt['status'], decision: string | null) => {
    const decided = decision === null ? null : { decision };
    return waysOn(edges, { status, decided } as Interrupt).map(({ on }) => on);
  };

  expect(ways('open', null)).toEqual([null, 'rejected', 'timed_out']);
  expect(ways('answered', 'approved')).toEqual([null]);
  expect(ways('answered', 'rejected')).toEqual(['rejected']);
  expect(ways('expired', null)).toEqual(['timed_out']);
  expect(ways('cancelled', null)).toEqual([]);
});
