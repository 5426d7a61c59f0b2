// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AlertRule } from '../../../api/http/alerts.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { OpenAlerts } from './OpenAlerts.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const rule = (id: string, muted_until: string | null) =>
  ({
    id,
    muted_until,
    open: { said: `${id} is so`, rows: '/runs', since: '2026-11-22T09:00:00Z' },
  }) as unknown as AlertRule;

test('what is muted is folded into one line, below what is not', async () => {
  const results = [rule('loud', null), rule('quiet', '2026-11-23T09:00:00Z')];
  serve({ 'GET alerts/': { results, can_edit: true } });
  show(<OpenAlerts />);

  const banner = await screen.findByRole('alert');
  expect(banner).toHaveTextContent('An alert is open');
  expect(within(banner).queryByText('quiet is so')).toBeNull();
  const folded = screen.getByText('A muted alert is open').closest('details');
  expect(folded).not.toHaveAttribute('open');
  expect(folded).toHaveTextContent('quiet is so');
});

test('where all are muted nothing shouts', async () => {
  const results = [rule('one', '2026-11-23T09:00:00Z'), rule('two', '2026-11-23T09:00:00Z')];
  serve({ 'GET alerts/': { results, can_edit: true } });
  show(<OpenAlerts />);

  expect(await screen.findByText('2 muted alerts are open')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('with a workflow its own alerts are there, and those of the workspace, which say so', async () => {
  const of = (id: string) => ({ ...rule(id, null), graph: { id, name: id } });
  const results = [of('shop'), of('other'), rule('any', null)];
  serve({ 'GET alerts/': { results, can_edit: true } });
  show(<OpenAlerts graph="shop" />);

  const lines = within(await screen.findByRole('alert')).getAllByRole('listitem');
  expect(lines).toHaveLength(2);
  expect(lines[0]).not.toHaveTextContent('whole workspace');
  expect(lines[1]).toHaveTextContent('any is sowhole workspace, since');
});
