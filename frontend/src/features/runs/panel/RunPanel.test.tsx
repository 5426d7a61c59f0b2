// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { JsonSchema, RunDetail } from '../../../api/types/types.ts';
import type { RunEvent } from '../../../run/fold/events.ts';
import { loadFolding } from '../../../run/replay/replay.ts';
import { createRunStore } from '../../../run/replay/store.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { MemoryView } from '../views/MemoryView.tsx';
import { RunPanel } from './RunPanel.tsx';

const at = '2026-11-21T10:00:00Z';
const input = { amount: 2087.7, days: 2.5 };
const fields: JsonSchema = {
  properties: { amount: { type: 'number', format: 'money', 'x-unit': 'EUR' } },
};
const document = { nodes: [], interface: { inputs: fields }, state_schema: fields };
const run = { interrupts: [], input, document } as unknown as RunDetail;

beforeAll(loadFolding);
beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const storeOf = (...more: object[]) => {
  const store = createRunStore(() => undefined);
  store.getState().receive([{ seq: 1, type: 'RunStarted', at, input }, ...more] as RunEvent[]);
  return store;
};

test('a sum of the input is read as its field says, another number as it is', () => {
  show(<RunPanel store={storeOf()} run={run} onNode={() => 0} onKey={() => 0} />);

  expect(screen.getByText('€2,087.70')).toBeVisible();
  expect(screen.getByText('2.5')).toBeVisible();
});

test('a sum in memory is read as its field says', () => {
  const set = { seq: 2, type: 'MemoryEdited', at, set: { amount: 2087.7 }, removed: [] };
  show(<MemoryView store={storeOf(set)} nameOf={(id) => id} document={run.document} />);

  expect(screen.getByText('€2,087.70')).toBeVisible();
});
