// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BulkPreview, BulkRun } from '../../../api/http/runs/bulk.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { PreviewTable } from './PreviewTable.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const run = (id: string, status = 'running'): BulkRun => ({
  id,
  title: `Order ${id}`,
  graph: 'Orders',
  status,
});
const preview = {
  action: 'cancel',
  included: 12,
  first: [run('1'), run('2', 'waiting')],
  again: [],
  calls: [],
  left_out: [
    { result: 'refused', code: 'RunRejected', why: 'No.', times: 1, runs: [run('9', 'rejected')] },
  ],
} as unknown as BulkPreview;

test('a cancel names the first runs with how they stand, and how many more there are', () => {
  show(<PreviewTable preview={preview} />);

  expect(screen.getByRole('link', { name: 'Order 1' })).toHaveAttribute('href', '/runs/1');
  expect(screen.getByText('Orders · waiting')).toBeVisible();
  expect(screen.getByText('and 10 more')).toBeVisible();
});

test('what is left out is named too', () => {
  show(<PreviewTable preview={preview} />);

  expect(screen.getByRole('link', { name: 'Order 9' })).toHaveAttribute('href', '/runs/9');
  expect(screen.getByText('Orders · rejected')).toBeVisible();
});
