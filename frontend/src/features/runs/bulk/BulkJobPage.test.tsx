// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import BulkJobPage from './BulkJobPage.tsx';

const JOB = {
  id: 'j1',
  action: 'retry',
  status: 'done',
  by: { id: 'u', name: 'Olga' },
  started_at: new Date(Date.now() - 7_200_000).toISOString(),
  count: 0,
  left_out: 0,
  pending: 0,
  done: 0,
  skipped: 0,
  refused: 0,
  new_runs: {},
};

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a job says who began it and when', async () => {
  const none = { results: [], next: null, total: 0 };
  serve({ 'GET runs/bulk//': JOB, 'GET runs/bulk//items/': none });
  show(<BulkJobPage />);

  expect(await screen.findByText(/^Begun by Olga,/)).toHaveTextContent('Begun by Olga, 2 hr. ago');
});
