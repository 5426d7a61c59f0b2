// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { GraphDoc, ViewInfo, ViewKind } from '../../../api/types/types.ts';
import type { RunEvent } from '../../../run/fold/events.ts';
import { foldTo } from '../../../run/fold/view.ts';
import { SpecialView } from './SpecialView.tsx';

beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {
        return undefined;
      }
      unobserve() {
        return undefined;
      }
      disconnect() {
        return undefined;
      }
    },
  );
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
});
afterEach(cleanup);

const document: GraphDoc = {
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'a', type: 'x' },
    { id: 'w', type: 'x', label: 'Worker' },
  ],
  edges: [],
};
const picked = vi.fn();

/** Show a view of `a#1` after it started and these things happened. */
function show(kind: ViewKind, ...happened: Record<string, unknown>[]) {
  const all = [
    { type: 'RunStarted', graph_id: 'g' },
    { type: 'NodeStarted', attempt: 1, max_attempts: 1 },
    ...happened,
  ];
  const view = foldTo(
    all.map(
      (event, place) =>
        ({
          at: '2026-11-21T10:00:00Z',
          node: 'a',
          key: 'a#1',
          ...event,
          seq: place + 1,
        }) as unknown as RunEvent,
    ),
    99,
  );
  const activation = view.activations['a#1'];
  if (!activation) throw new Error('no activation');
  const info: ViewInfo = { kind, title: 'Special' };
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <SpecialView
            info={info}
            view={view}
            activation={activation}
            document={document}
            now={0}
            onKey={picked}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.getByRole('region', { name: 'Special' });
}

const row = (view: ViewKind, values: Record<string, unknown>) => ({
  type: 'RowShown',
  view,
  row: values,
  attempt: 1,
});
const asked = {
  type: 'ChildrenRequested',
  path: '0',
  children: [
    { node: 'w', slot: 0, item: 'first' },
    { node: 'w', slot: 1, item: 'second' },
  ],
};
const began = {
  type: 'NodeStarted',
  node: 'w',
  key: 'a#1/w[0]#1',
  attempt: 1,
  max_attempts: 1,
  parent: 'a#1',
  path: '0',
  index: 0,
};

test('items that began lead to their child, those that wait do not (C100)', () => {
  show('items', asked, began);

  fireEvent.click(screen.getByRole('button', { name: /first/ }));

  expect(picked).toHaveBeenLastCalledWith('a#1/w[0]#1');
  expect(screen.getByText('second')).toBeVisible();
  expect(screen.queryByRole('button', { name: /second/ })).toBeNull();
});

test('items can be narrowed to a state', () => {
  show('items', asked, began);

  fireEvent.click(screen.getByRole('button', { name: /1 queued/ }));

  expect(
    within(screen.getByRole('list', { name: 'Items' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([expect.stringContaining('second')]);
});

test('a decision names the node as people do, with the reason (C75)', () => {
  const region = show(
    'decisions',
    row('decisions', { choice: 'w', reason: 'It knows.' }),
    row('decisions', { choice: null, reason: 'All is there.' }),
  );

  expect(
    within(region)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/Worker.*It knows\./),
    expect.stringMatching(/Done.*All is there\./),
  ]);
});

test('the winner of a vote is marked, and a voter that failed says why (C116)', () => {
  show(
    'votes',
    row('votes', { voter: 'x', vote: 'yes' }),
    row('votes', { voter: 'y', error: { code: 'E', message: 'gone' } }),
    row('votes', {
      tally: [
        { vote: 'yes', weight: 1, voters: ['x'] },
        { vote: 'no', weight: 0.5, voters: ['z'] },
      ],
      winner: 'yes',
    }),
  );

  const counted = within(screen.getByRole('list', { name: 'Count' })).getAllByRole('listitem');
  expect(within(counted[0] as HTMLElement).getByRole('img', { name: 'Won' })).toBeInTheDocument();
  expect(within(counted[1] as HTMLElement).queryByRole('img', { name: 'Won' })).toBeNull();
  expect(screen.getByText(/No vote: gone/)).toBeVisible();
});

test('a tie says between what it was, and how it was broken (C111)', () => {
  const tally = [
    { vote: 'ship', weight: 2, voters: ['x', 'y'] },
    { vote: 'wait', weight: 2, voters: ['z', 'w'] },
    { vote: 'drop', weight: 1, voters: ['v'] },
  ];
  const count = (brokenBy: string) =>
    row('votes', {
      tally,
      winner: 'ship',
      strategy: 's',
      tie: { between: ['ship', 'wait'], broken_by: brokenBy },
    });
  const region = show('votes', count('order'));
  expect(
    within(region).getByText(
      'A tie between ship and wait, with 2 each. ship won: of these voters, x stands first in the list.',
    ),
  ).toBeVisible();
  cleanup();

  expect(within(show('votes', count('judge'))).getByText(/The judge decided\.$/)).toBeVisible();
  cleanup();
  expect(
    within(show('votes', row('votes', { tally, winner: 'ship' }))).queryByText(/A tie/),
  ).toBeNull();
});

test('a generation can be picked, and shows its own candidates', () => {
  const generation = (number: number, text: string) =>
    row('generations', {
      generation: number,
      best: 0.5,
      mean: 0.4,
      count: 1,
      failed: 0,
      threshold: 0.9,
      top: [{ fitness: 0.5, text }],
    });
  show('generations', generation(0, 'early bird'), generation(1, 'late bird'));
  expect(screen.getByText('late bird')).toBeVisible();

  fireEvent.click(screen.getByRole('button', { name: '1' }));

  expect(screen.getByText('early bird')).toBeVisible();
  expect(screen.queryByText('late bird')).toBeNull();
});

test('the best pass is marked, and why the search stopped is said (C126)', () => {
  show(
    'scores',
    row('scores', { pass: 0, score: 0.4, temperature: 1 }),
    row('scores', { pass: 1, score: 0.7, temperature: 0.2 }),
    { type: 'NodeCompleted', output: { stopped_by: 'limit' } },
  );

  expect(screen.getAllByRole('img', { name: 'Best' })).toHaveLength(1);
  expect(screen.getByText('The limit of rounds is reached.')).toBeVisible();
});

test('a verdict shows what was looked at, null too (C162)', () => {
  const region = show('verdict', {
    type: 'NodeCompleted',
    output: { passed: false, reasoning: 'It is not there.', extracted_value: null },
  });

  expect(region).toHaveTextContent('Did not pass');
  expect(region).toHaveTextContent('What was foundnull');
});

test('a child run shows how it stands and leads there (C86)', () => {
  const region = show(
    'child_run',
    { type: 'ChildRunRequested', path: '0', run_id: 'r2', graph_id: 'below' },
    { type: 'NodeWaiting', on: 'run' },
    { type: 'ChildRunWaiting', run_id: 'r2', waiting: true },
  );

  expect(region).toHaveTextContent('below');
  expect(region).toHaveTextContent('Waiting');
  expect(screen.getByRole('link', { name: /Open the run/ })).toHaveAttribute('href', '/runs/r2');
});
