// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GraphSummary } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { columnsOf } from './columns.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const graph = {
  id: 'g',
  name: 'Orders',
  folder: '',
  published: { number: 3 },
  has_draft_changes: true,
  waits_for: [],
} as unknown as GraphSummary;

const versionOf = (row: GraphSummary) =>
  columnsOf('', null)
    .find(({ id }) => id === 'version')
    ?.cell(row);

test('a draft that is not live has changes', () => {
  show(<>{versionOf(graph)}</>);
  expect(screen.getByText('changes')).toBeVisible();
});

test('one that waits for approval says so, and of whom', async () => {
  const rita = { user: { id: 'u1', name: 'Rita' }, role: 'reviewer', groups: [] };
  serve({ 'GET members/': { results: [rita], total: 1, next: null } });
  show(<>{versionOf({ ...graph, waits_for: ['role:admin', 'group:Finance', 'user:u1'] })}</>);
  expect(
    await screen.findByTitle('Waits for approval by any admin, Finance, or Rita'),
  ).toHaveTextContent('waits for approval');
  expect(screen.queryByText('changes')).toBeNull();
});
