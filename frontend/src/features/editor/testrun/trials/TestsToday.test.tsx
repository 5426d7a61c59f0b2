// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../../../api/http/client.ts';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { TestsToday } from './TestsToday.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the number stays while it is asked for again, but not for another workflow', async () => {
  vi.spyOn(api, 'get')
    .mockResolvedValueOnce({ results: [], total: 3 })
    .mockReturnValue(new Promise(() => undefined));
  const { rerender } = show(<TestsToday graphId="g1" runId={null} />);
  expect(await screen.findByText('3 tests today')).toBeInTheDocument();

  rerender(<TestsToday graphId="g1" runId="r1" />);
  expect(screen.getByText('3 tests today')).toBeInTheDocument();
  rerender(<TestsToday graphId="g2" runId="r1" />);
  expect(screen.queryByText(/today/)).toBeNull();
});
