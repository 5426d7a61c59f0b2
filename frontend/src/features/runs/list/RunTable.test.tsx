// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunSummary } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { columns, columnsFor } from './columns.tsx';
import type { RunChoice } from './runChoice.ts';
import { RunTable } from './RunTable.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const run = {
  id: 'r1',
  title: 'Order 1',
  graph: { id: 'g', name: 'Orders' },
  status: 'failed',
  waiting_for: [],
  error: null,
  spend: { tokens: 0, usd: '0' },
  tags: {},
} as unknown as RunSummary;

const showAs = (role: string) => {
  serve({ 'GET session/': { workspace: { id: 'w', role } } });
  show(
    <RunTable
      rows={[run]}
      shown={new Set([columns[0]?.id ?? ''])}
      filter={{}}
      choice={{ ordering: '-started' } as RunChoice}
      total="1"
      hasMore={false}
      sorting={{ ordering: '-started', onOrder: vi.fn() }}
    />,
  );
};

test('who may run picks runs, to do something with many', async () => {
  showAs('operator');
  expect((await screen.findAllByRole('checkbox')).length).toBeGreaterThan(0);
});

test.each(['viewer', 'reviewer'])('a %s is offered nothing that would be refused', async (role) => {
  showAs(role);
  await waitFor(() => expect(screen.getByText('Order 1')).toBeVisible());
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a column of notes takes room only where something is noted', () => {
  const shown = new Set(['title', 'note']);
  const waiting = { ...run, waiting_for: ['approval: Ask'] } as RunSummary;
  const width = (...rows: RunSummary[]) => columnsFor(rows, shown)[1]?.width;
  expect(width(run, run)).toBeLessThan(100);
  expect(width(run, waiting)).toBe('26%');
});
