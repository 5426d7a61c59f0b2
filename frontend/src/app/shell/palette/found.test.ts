import { describe, expect, it } from 'vitest';
import { foundId, inGroups, matching, placeOf, stillMeant, eachOnce } from './found.ts';

const run = { kind: 'run', id: 'r1', title: 'Order K-17', note: 'Sync, failed' } as const;

describe('the palette', () => {
  it('keeps what the server found, whatever its name, and actions with every word', () => {
    const shown = matching('k-17 ord', [
      { group: 'Runs', actions: [{ id: foundId(run), label: 'something else' }] },
      {
        group: 'General',
        actions: [
          { id: 'a', label: 'Order by K-17' },
          { id: 'b', label: 'Order' },
        ],
      },
      { group: 'Go to', actions: [{ id: 'c', label: 'Go to Runs' }] },
    ]);

    expect(
      shown.map((entry) => ('actions' in entry ? entry.actions.map(({ id }) => id) : [])),
    ).toEqual([['a'], ['found.run.r1']]);
  });

  it('begins with the best name, and with the order of before among equals', () => {
    const shown = matching('audit', [
      { group: 'Runs', actions: [{ id: foundId(run), label: 'Order K-17' }] },
      { group: 'Workflows', actions: [{ id: 'w', label: 'Warehouse audit' }] },
      {
        group: 'Go to',
        actions: [
          { id: 'b', label: 'Everything', keywords: 'audit' },
          { id: 'a', label: 'Audit log' },
        ],
      },
    ]);

    expect(
      shown.map((entry) => ('actions' in entry ? entry.actions.map(({ id }) => id) : [])),
    ).toEqual([['a', 'b'], ['w'], ['found.run.r1']]);
  });

  it('begins with what is called exactly so, wherever it is found', () => {
    const shown = matching('audit', [
      { group: 'Go to', actions: [{ id: 'a', label: 'Audit log' }] },
      {
        group: 'Workflows',
        actions: [
          { id: 'v', label: 'Audit of stores' },
          { id: 'w', label: 'Audit' },
        ],
      },
    ]);

    expect(
      shown.map((entry) => ('actions' in entry ? entry.actions.map(({ id }) => id) : [])),
    ).toEqual([['w', 'v'], ['a']]);
  });

  it('has one group of a name, whoever fills it', () => {
    const [one, two] = [{ id: 'a' }, { id: 'b' }];
    expect(
      inGroups([
        { group: 'Workflows', actions: [one] },
        { group: 'Workflows', actions: [two] },
      ]),
    ).toEqual([{ group: 'Workflows', actions: [one, two] }]);
  });

  it('drops what was found by fewer letters and does not say the others', () => {
    const other = { ...run, id: 'r2', title: 'Order K-18' };

    expect(stillMeant('K-17', [other, run])).toEqual([run]);
    expect(stillMeant('order failed', [other, run])).toEqual([other, run]);
  });

  it('leads to the page of what was found', () => {
    expect(placeOf(run)).toBe('/runs/r1');
    expect(placeOf({ ...run, kind: 'item' })).toBe('/inbox/r1?view=all');
  });
});

it('offers a page and the action that goes there once', () => {
  const rows = [
    { id: 'a', label: 'Alerts' },
    { id: 'b', label: 'Go to Alerts' },
    { id: 'c', label: 'Go to Runs' },
  ];
  expect(eachOnce(rows).map(({ id }) => id)).toEqual(['a', 'c']);
});
