// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunDetail } from '../../../api/types/types.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { RetryButton } from './RetryButton.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [false, 'Retry from the failed node'],
  [true, 'Retry from the rejected node'],
])('a run that was rejected (%s) is tried again as such: %s', (rejected, name) => {
  show(<RetryButton run={{ id: 'r', rejected, draft_differs: false } as RunDetail} />);

  expect(screen.getByText(name).textContent).toBe(name);
});
