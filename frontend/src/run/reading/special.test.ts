import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ViewKind } from '../../api/types/types.ts';
import type { RunEvent } from '../fold/events.ts';
import type { ActivationView, RunView } from '../fold/model.ts';
import {
  decisionsOf,
  factsOf,
  generationsOf,
  headlineOf,
  itemsOf,
  rowsOf,
  scoresOf,
  stoppedBy,
  verdictOf,
  viewsOf,
  votesOf,
} from './special.ts';
import { foldTo } from '../fold/view.ts';

const file = fileURLToPath(
  new URL('../../../../tests/fixtures/logs/map_children.json', import.meta.url),
);
const map = (JSON.parse(readFileSync(file, 'utf8')) as { events: RunEvent[] }).events;

/** A log of one activation `a#1`: it starts, then what is given happens to it. */
function log(...happened: Record<string, unknown>[]): RunEvent[] {
  const all = [
    { type: 'RunStarted', graph_id: 'g' },
    { type: 'NodeStarted', attempt: 1, max_attempts: 3 },
    ...happened,
  ];
  return all.map(
    (event, place) =>
      ({
        at: '2026-11-21T10:00:00Z',
        node: 'a',
        key: 'a#1',
        ...event,
        seq: place + 1,
      }) as unknown as RunEvent,
  );
}

const row = (view: ViewKind, values: Record<string, unknown>, attempt = 1) => ({
  type: 'RowShown',
  view,
  row: values,
  attempt,
});

function at(view: RunView, key: string): ActivationView {
  const found = view.activations[key];
  if (!found) throw new Error(`no activation ${key}`);
  return found;
}

const of = (...happened: Record<string, unknown>[]) => at(foldTo(log(...happened), 999), 'a#1');

describe('items (C100, C106)', () => {
  const seqOf = (type: string, key?: string) =>
    map.find(
      (event) =>
        event.type === type && (key === undefined || ('key' in event && event.key === key)),
    )?.seq ?? 0;

  it('are there from the moment they are asked for, before any begins', () => {
    const view = foldTo(map, seqOf('ChildrenRequested'));

    expect(
      itemsOf(view, at(view, 'each#1')).map((item) => [item.item, item.status, item.key]),
    ).toEqual([
      ['a', 'queued', undefined],
      ['b', 'queued', undefined],
      ['c', 'queued', undefined],
    ]);
  });

  it('have the state, output and error of their child, and lead to it', () => {
    const view = foldTo(map, 999);
    const items = itemsOf(view, at(view, 'each#1'));

    expect(items.map((item) => [item.key, item.status])).toEqual([
      ['each#1/extract[0]#1', 'completed'],
      ['each#1/extract[1]#1', 'failed'],
      ['each#1/extract[2]#1', 'completed'],
    ]);
    expect(items[1]?.error).toBeTruthy();
    expect(headlineOf(view, at(view, 'each#1'), 'items', (id) => id)).toBe('2 of 3 done, 1 failed');
  });

  it('that never began were cancelled once their map has ended (C106)', () => {
    const asked = {
      type: 'ChildrenRequested',
      path: '0',
      children: [{ node: 'w' }],
      isolated: true,
    };
    const [open, ended] = [log(asked), log(asked, { type: 'NodeCancelled' })].map((events) =>
      foldTo(events, 999),
    );

    expect(
      [open, ended].map(
        (view) => view && itemsOf(view, at(view, 'a#1')).map((item) => item.status),
      ),
    ).toEqual([['queued'], ['cancelled']]);
  });

  it('give their child its item and its parent', () => {
    const child = at(foldTo(map, 999), 'each#1/extract[2]#1');

    expect([child.item, child.parent]).toEqual(['c', 'each#1']);
  });

  it('are shown of any type that asked for children', () => {
    const view = foldTo(map, 999);

    expect(viewsOf(view, at(view, 'each#1'), [])).toEqual([{ kind: 'items', title: 'Children' }]);
    expect(viewsOf(view, at(view, 'each#1'), [{ kind: 'items', title: 'Items' }])).toEqual([
      { kind: 'items', title: 'Items' },
    ]);
  });
});

describe('rows', () => {
  it('count of the latest attempt alone', () => {
    const activation = of(
      row('votes', { voter: 'x', vote: 'no' }),
      row('votes', { voter: 'x', vote: 'yes' }, 2),
    );

    expect(rowsOf(activation, 'votes')).toEqual([{ voter: 'x', vote: 'yes' }]);
  });

  it('of a view without data show nothing', () => {
    const view = foldTo(log(), 999);

    expect(
      viewsOf(view, at(view, 'a#1'), [
        { kind: 'votes', title: 'Votes' },
        { kind: 'verdict', title: 'Verdict' },
      ]),
    ).toEqual([]);
  });
});

it('a decision leads to the child that followed it (C75)', () => {
  const view = foldTo(
    [
      ...log(row('decisions', { choice: 'w', reason: 'first the facts' }), {
        type: 'ChildrenRequested',
        path: '1',
        children: [{ node: 'w' }],
        isolated: false,
      }),
      {
        seq: 5,
        at: '2026-11-21T10:00:01Z',
        type: 'NodeStarted',
        node: 'w',
        key: 'a#1/w#1',
        attempt: 1,
        max_attempts: 1,
        epoch: 1,
        node_type: 'agent',
        code: 'c',
        parent: 'a#1',
        path: '1',
        index: 0,
      },
      {
        seq: 6,
        at: '2026-11-21T10:00:02Z',
        type: 'RowShown',
        node: 'a',
        key: 'a#1',
        view: 'decisions',
        row: { choice: null, reason: 'all is there' },
        attempt: 1,
      },
    ],
    999,
  );

  const decisions = decisionsOf(view, at(view, 'a#1'));

  expect(decisions.map((each) => [each.choice, each.reason, each.child?.key])).toEqual([
    ['w', 'first the facts', 'a#1/w#1'],
    [null, 'all is there', undefined],
  ]);
  expect(viewsOf(view, at(view, 'a#1'), [{ kind: 'decisions', title: 'Decisions' }])).toHaveLength(
    1,
  );
});

it('votes come in one by one and are counted by the engine (C111, C116)', () => {
  const votes = [
    row('votes', { voter: 'x', vote: 'yes' }),
    row('votes', { voter: 'y', error: { code: 'E', message: 'gone' } }),
  ];
  const counted = row('votes', {
    tally: [{ vote: 'yes', weight: 1, voters: ['x'] }],
    winner: 'yes',
    strategy: 'majority_vote',
  });

  expect(votesOf(of(...votes))).toMatchObject({
    votes: [
      { voter: 'x', vote: 'yes', error: null },
      { voter: 'y', error: 'gone' },
    ],
    winner: undefined,
    tally: [],
  });
  expect(votesOf(of(...votes, counted))).toMatchObject({
    winner: 'yes',
    tally: [{ won: true, weight: 1 }],
  });
});

it('the winner is the vote of equal content, whatever the order of its keys (C111)', () => {
  const tally = [
    { vote: { x: 1, y: [2] }, weight: 2, voters: ['x', 'z'] },
    { vote: { x: 2, y: [2] }, weight: 1, voters: ['y'] },
  ];
  const counted = row('votes', { tally, winner: { y: [2], x: 1 }, strategy: 'majority_vote' });

  expect(votesOf(of(counted)).tally.map((each) => each.won)).toEqual([true, false]);
});

it('of equally good passes the first is the best (C126)', () => {
  const passes = [0.5, 0.8, 0.8].map((score, pass) =>
    row('scores', { pass, score, temperature: 1 - pass / 10, threshold: 0.9 }),
  );

  expect(scoresOf(of(...passes)).map((each) => each.best)).toEqual([false, true, false]);
});

it('a generation keeps that nobody survived it (C150)', () => {
  const generation = generationsOf(
    of(row('generations', { generation: 0, best: null, mean: null, count: 0, failed: 3, top: [] })),
  )[0];

  expect(generation).toMatchObject({ best: null, mean: null, failed: 3 });
});

it('a verdict is read from the output, or from the error that it became (C164)', () => {
  const said = { passed: false, reasoning: 'too short', score: 0.4, threshold: 0.8 };

  expect(
    verdictOf(of({ type: 'NodeCompleted', output: { ...said, extracted_value: null } })),
  ).toMatchObject({ passed: false, score: 0.4, hasExtracted: true });
  expect(
    verdictOf(
      of({ type: 'NodeFailed', error: { code: 'VerificationFailed', message: 'x', detail: said } }),
    ),
  ).toMatchObject({ passed: false, reasoning: 'too short' });
  expect(verdictOf(of({ type: 'NodeCompleted', output: 'text' }))).toBeNull();
});

it('facts that are stored and facts that are found stand apart (C181)', () => {
  const step = { type: 'StepIntended', attempt: 1, kind: 'memory' };
  const facts = factsOf(
    of(
      {
        ...step,
        path: 'memory',
        request: { text: 'fog', tags: ['sea'], entity_ids: [], max_facts: 3 },
      },
      {
        type: 'StepCompleted',
        path: 'memory',
        attempt: 1,
        result: [{ text: 'Fog comes at night.', tags: ['sea'] }],
      },
      {
        ...step,
        path: '1',
        request: { facts: [{ text: 'It was calm.', tags: [], entities: ['Ada'] }] },
      },
    ),
  );

  expect(facts.found).toEqual([
    {
      query: 'fog · #sea',
      facts: [{ text: 'Fog comes at night.', tags: ['sea'], entities: [] }],
      failed: null,
      done: true,
    },
  ]);
  expect(facts.stored).toEqual([
    { facts: [{ text: 'It was calm.', tags: [], entities: ['Ada'] }], done: false },
  ]);
});

it('a node that stopped early says why, in words', () => {
  expect(stoppedBy(of({ type: 'NodeCompleted', output: { stopped_by: 'stagnation' } }))).toBe(
    'Nothing got better any more.',
  );
  expect(stoppedBy(of({ type: 'NodeCompleted', output: 'text' }))).toBeNull();
});
