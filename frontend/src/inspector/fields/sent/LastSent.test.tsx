// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { LastSent } from './LastSent.tsx';

const step = (seq: number, key: string, prompt: string) => ({
  seq,
  type: 'StepIntended',
  at: '2026-11-21T10:00:00Z',
  node: 'ask',
  key,
  path: 'agent.1',
  attempt: 1,
  kind: 'model',
  request: {
    messages: [
      { role: 'system', content: 'You sort.' },
      { role: 'user', content: prompt },
    ],
  },
});
const started = (seq: number, key: string) => ({
  seq,
  type: 'NodeStarted',
  at: '2026-11-21T10:00:00Z',
  node: 'ask',
  key,
  attempt: 1,
});
const run = (id: string, nodes: string[]) => ({
  id,
  version: 3,
  is_draft: false,
  as_of_seq: 600,
  spend: { by_node: Object.fromEntries(nodes.map((node) => [node, { tokens: 1 }])) },
  document: { nodes: [{ id: 'ask', type: 'step', config: { prompt: 'Sort {{ input }}.' } }] },
});

let answers: Record<string, unknown> = {};
let asked: string[] = [];

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(
      new Response(JSON.stringify(answers[address]), {
        status: answers[address] === undefined ? 404 : 200,
        headers: { 'Content-Type': 'application/json' },
      }),
    );
  });
});
beforeEach(() => {
  asked = [];
  answers = {
    '/api/runs/?graph=g': { results: [{ id: 'new' }, { id: 'old' }], next: null },
    '/api/runs/new/': run('new', ['other']),
    '/api/runs/old/': run('old', ['ask']),
    '/api/runs/old/events/?after=100&limit=500': {
      events: [step(101, 'ask#2', 'Sort a letter.')],
      head: 600,
    },
    '/api/runs/old/events/?after=0&limit=100': {
      events: [started(99, 'ask#2'), step(100, 'ask#2', 'Sort the bill.')],
      head: 600,
    },
  };
});
afterEach(cleanup);

function show(value: string) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
      >
        <MemoryRouter>
          <LastSent graph="g" node="ask" path="config.prompt" value={value} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const fold = screen.getByText('As last sent').closest('details');
  expect(asked).toEqual([]);
  if (fold) fold.open = true;
}

test('the newest run that asked is read from the end of its log to where the attempt began', async () => {
  show('Sort {{ input }}.');

  expect(await screen.findByRole('region', { name: 'The prompt as last sent' })).toHaveTextContent(
    'Sort the bill.',
  );
  expect(screen.getByRole('link', { name: 'a run of version 3' })).toHaveAttribute(
    'href',
    '/runs/old?at=ask%232',
  );
  expect(screen.queryByText(/was changed since/)).toBeNull();
});

test('it says when the prompt reads otherwise now, and when no run has asked', async () => {
  show('Sort it well: {{ input }}.');
  expect(await screen.findByText(/was changed since/)).toBeInTheDocument();
  cleanup();

  asked = [];
  answers['/api/runs/old/'] = run('old', ['other']);
  show('');
  expect(await screen.findByText(/None of the latest runs/)).toBeInTheDocument();
});
