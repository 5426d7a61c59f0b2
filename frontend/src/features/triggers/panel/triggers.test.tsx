// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Trigger, TriggerCard as Card } from '../../../api/http/runs/triggers.ts';
import { loadDraft, serve, show, stubBrowser } from '../../../store/testing.tsx';
import { OutlineTriggers } from '../canvas/OutlineTriggers.tsx';
import { showTrigger, useShownTrigger } from '../canvas/shown.ts';
import { TriggerCard } from '../TriggerCard.tsx';

const due = ['2026-11-25T08:00:00.000Z', '2026-11-26T08:00:00.000Z'];
const daily: Trigger = {
  id: 't1',
  graph: { id: 'g1', name: 'G' },
  kind: 'schedule',
  name: 'Daily',
  on: true,
  config: { cron: '0 8 * * *', zone: 'UTC', missed: 'once' },
  mapping: {},
  account: { id: 's', name: 'Triggers' },
  switched_by: null,
  watched: null,
  address: null,
  former_secret_until: null,
  last_at: null,
  next_at: '2026-11-25T08:00:00.000Z',
  due,
  sample: null,
};
const orders: Card = {
  id: 't2',
  kind: 'webhook',
  name: 'Orders',
  on: false,
  last_at: null,
  next_at: null,
  refused: 0,
};

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  showTrigger(null);
  vi.unstubAllGlobals();
});

test('who may not edit reads the next times once, and switches nothing', async () => {
  serve({ 'GET triggers/due/': { due }, 'GET triggers/t1/deliveries/': { results: [] } });
  show(<TriggerCard trigger={daily} can={{ edit: false, run: false }} secret={null} />);

  expect(await screen.findAllByRole('list', { name: 'The next times' })).toHaveLength(1);
  expect(screen.getByRole('switch', { name: 'Daily is on' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: /Test|Remove|Save/ })).toBeNull();
});

test('in the outline triggers are lines that open them', async () => {
  serve({ 'GET graphs/g1/triggers/cards/': { results: [orders] } });
  show(<OutlineTriggers />);

  fireEvent.click(
    await screen.findByRole('button', { name: 'Orders, webhook, off, has started nothing yet' }),
  );

  expect(useShownTrigger.getState().shown).toBe('t2');
});
