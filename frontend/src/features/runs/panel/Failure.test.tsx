// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunDetail } from '../../../api/types/types.ts';
import type { JsonObject } from '../../../run/values/json.ts';
import type { RunView } from '../../../run/fold/model.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { Failure } from './Failure.tsx';

const run = {
  graph: { id: 'g1' },
  document: { nodes: [{ id: 'post', label: 'Post to the ledger' }] },
} as RunDetail;
const call = {
  kind: 'http',
  status: 'failed',
  request: { method: 'POST', url: 'http://10.0.0.5:9/orders', body: { order: 'K-4723' } },
};
const view = {
  live: [],
  nodes: { post: { keys: ['post#1'], latest: 'post#1' } },
  activations: { 'post#1': { steps: [call] } },
} as unknown as RunView;

const failed = (
  code: string,
  message: string,
  detail?: JsonObject,
  more: Partial<RunDetail> = {},
) =>
  show(
    <Failure
      error={{ code, message, node: 'post', ...(detail ? { detail } : {}) }}
      view={view}
      run={{ ...run, ...more }}
      onNode={() => undefined}
    />,
  );
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a refused address is said in words, with the list that allows it and what was to be sent', () => {
  failed('EgressRefused', 'port 9 is not on the allow-list');

  const title = screen.getByText('Not allowed to call this address, at “Post to the ledger”');
  expect(title).toHaveAttribute('title', 'EgressRefused');
  expect(screen.queryByText(/EgressRefused/)).toBeNull();
  expect(screen.getByText(/An admin can allow it/)).toBeVisible();
  expect(link('Open the list of addresses')).toBe('/settings/workspace');
  expect(screen.getByText('http://10.0.0.5:9/orders')).toBeVisible();
  expect(screen.getByLabelText('Body that was sent')).toHaveTextContent('"order": "K-4723"');
  expect(screen.getByText('Nothing was sent to the refused address.')).toBeVisible();
});

test('a no in a workflow that a step called is said in words, with who said it', () => {
  const message = "graph 'refund' ended as failed: ApprovalRejected: rejected: Not a real order";
  failed('SubgraphFailed', message, undefined, { rejected_by: { id: 'g', name: 'Grace' } });

  const title = 'Rejected by Grace in the workflow it called, at “Post to the ledger”';
  expect(screen.getByText(title)).toBeVisible();
  expect(screen.getByText('Not a real order')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveAttribute('data-tone', 'answered');
  expect(screen.queryByText(/ApprovalRejected/)).toBeNull();
});

test.each([
  ['10.0.0.5', { opened_by: 'operator' }, /whoever runs the server/],
  ['localhost', undefined, /whoever runs the server/],
  ['169.254.169.254', { opened_by: 'nobody' }, /Nobody can allow this address/],
])('%s, which no workspace can open, leads to the step', (host, detail, why) => {
  failed('EgressRefused', `'${host}' leads to an address that is not public`, detail);

  expect(screen.getByText(why)).toBeVisible();
  expect(link('Change the address')).toBe('/workflows/g1?node=post');
  expect(screen.queryByText(/An admin can allow it/)).toBeNull();
});

test.each([
  ['WorkspaceBudgetExceeded', 'Raise the budget', '/settings/budgets'],
  [
    'NodeBudgetExceeded',
    'Raise the step’s budget',
    '/workflows/g1?node=post&field=budget.max_cost_usd',
  ],
  ['RunBudgetExceeded', 'Raise the budget', '/workflows/g1?field=limits.budget_usd'],
  ['MissingReference', 'Edit workflow', '/workflows/g1?node=post'],
])('%s leads to where it is put right', (code, label, to) => {
  failed(code, 'no');
  expect(link(label)).toBe(to);
});

test.each([
  [{ limit_tokens: 900, limit_usd: null }, 'max_token_budget'],
  [{ limit_tokens: 900, limit_usd: '1', spent_tokens: 800, asked_tokens: 200 }, 'max_token_budget'],
  [{ limit_tokens: 900, limit_usd: '1', spent_tokens: 8, asked_tokens: 2 }, 'budget_usd'],
])('of a run’s two budgets the one that left no room is opened: %o', (detail, field) => {
  failed('RunBudgetExceeded', 'no', detail);
  expect(link('Raise the budget')).toBe(`/workflows/g1?field=limits.${field}`);
});

test('a key that a provider refuses leads to the models', () => {
  failed('ProviderRejected', 'no', { status: 401 });
  expect(link('Open the models')).toBe('/settings/models');
});

test('what nobody can put right on a page has no link, and an unknown code becomes words', () => {
  failed('StrangeThing', 'no');
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText(/^Strange thing, at/)).toBeVisible();
});
