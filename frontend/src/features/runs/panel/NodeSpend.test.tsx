// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunDetail } from '../../../api/types/types.ts';
import type { RunView } from '../../../run/fold/model.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { NodeSpend } from './NodeSpend.tsx';

const run = { document: { nodes: [{ id: 'review', label: 'Review refund' }] } } as RunDetail;
const failedOf = (message: string) =>
  ({
    live: [],
    nodes: {
      review: {
        id: 'review',
        status: 'failed',
        keys: ['review#1'],
        latest: 'review#1',
        spend: { usd: '0.1', tokens: 40, heldUsd: '0', heldTokens: 0 },
      },
    },
    activations: { 'review#1': { error: { code: 'ApprovalRejected', message } } },
  }) as unknown as RunView;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['rejected: too much', 'Rejected'],
  ['nobody decided in time', 'Failed'],
])('the step of “%s” stands as on its card: %s', (message, told) => {
  show(<NodeSpend view={failedOf(message)} run={run} onNode={() => undefined} />);
  expect(screen.getByRole('img', { name: told })).toBeVisible();
});
