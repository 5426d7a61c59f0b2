// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { ConductorContext, createConductor } from '../conductor.ts';
import { HoldBar } from '../HoldBar.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [5_000, 1],
  [100, 0],
])('the way back is offered while there is time left (%s ms: %s)', (left, count) => {
  const conductor = createConductor(() => undefined);
  conductor.dispatch({ type: 'bulkHeld', ids: ['a'], verb: 'approve' });
  conductor.dispatch({ type: 'held', id: 'a', until: Date.now() + left });
  show(
    <ConductorContext value={conductor}>
      <HoldBar known={new Map()} said="" />
    </ConductorContext>,
  );

  expect(screen.queryAllByRole('button', { name: /Undo/ })).toHaveLength(count);
});
