// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadDraft, Refused, serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { StaleButton, StaleRefusal } from './StaleButton.tsx';
import { useStalePlan } from './stalePlan.ts';

function Compared() {
  useStalePlan('r1', 'completed');
  return (
    <>
      <StaleButton status="completed" />
      <StaleRefusal status="completed" />
    </>
  );
}

const refuses = (status: number, code: string) =>
  serve({ 'GET runs/r1/fork-plan/': new Refused(status, { code, detail: 'no' }) });

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('where the start fields changed since, the panel says why nothing is taken over', async () => {
  refuses(400, 'InputInvalid');
  show(<Compared />);

  expect(await screen.findByRole('status')).toHaveTextContent(
    'The start fields changed since this run, so nothing of it can be taken over. “Run again” starts from the start.',
  );
});

test('what says itself, or passes, is not spoken of', async () => {
  const calls = refuses(404, 'RunNotFound');
  show(<Compared />);

  await waitFor(() => expect(calls).toHaveLength(1));
  await Promise.resolve();
  expect(screen.queryByRole('status')).toBeNull();
});
