// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SpendBy } from '../../../api/http/workspace/budgets.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { SpendDays } from './SpendDays.tsx';

const day = (id: string, usd: string, calls: number) =>
  ({ id, name: id, usd, tokens: calls * 100, calls, unpriced: 0 }) as unknown as SpendBy;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the days of spend are a table too, the latest first, each with its runs', () => {
  const rows = [day('2026-11-22', '1.25', 3), day('2026-11-23', '0', 0)];
  show(<SpendDays rows={rows} shown={{ since: '2026-11-22', until: '2026-11-23' }} />);
  fireEvent.click(screen.getByRole('radio', { name: 'Table' }));

  const [, latest, first] = within(screen.getByRole('table')).getAllByRole('row');
  expect(latest).toHaveTextContent('23');
  expect(latest?.querySelector('a')).toBeNull();
  expect(first).toHaveTextContent('$1.25');
  expect(first?.querySelector('a')).toHaveAttribute(
    'href',
    expect.stringContaining('spent_since=2026-11-22&spent_until=2026-11-22'),
  );
});
