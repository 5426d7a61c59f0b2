// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bar } from '../../../api/http/boards.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { HourChart } from './HourChart.tsx';

const HOUR_MS = 3_600_000;
const bars = [1, 2, 3].map((n) => ({
  at: `2026-11-22T0${n}:00:00Z`,
  until: `2026-11-22T0${n + 1}:00:00Z`,
  completed: n,
  failed: 1,
  timeout: 0,
  rejected: 0,
  cancelled: 0,
})) as Bar[];

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the bars are one stop of Tab, and the arrow keys go through them', () => {
  show(<HourChart bars={bars} length={HOUR_MS} to={(bar) => `/runs?at=${bar.at}`} />);
  const links = within(screen.getByRole('group')).getAllByRole('link');
  const stops = () => links.map((link) => link.tabIndex);

  expect(stops()).toEqual([-1, -1, 0]);
  links[2]?.focus();
  fireEvent.keyDown(links[2] as HTMLElement, { key: 'ArrowLeft' });
  expect(links[1]).toHaveFocus();
  expect(stops()).toEqual([-1, 0, -1]);
  fireEvent.keyDown(links[1] as HTMLElement, { key: 'Home' });
  expect(links[0]).toHaveFocus();
  fireEvent.keyDown(links[0] as HTMLElement, { key: 'ArrowLeft' });
  expect(links[0]).toHaveFocus();
});

test('the bar at which the keyboard is shows its numbers', async () => {
  show(<HourChart bars={bars} length={HOUR_MS} to={(bar) => `/runs?at=${bar.at}`} />);
  const links = within(screen.getByRole('group')).getAllByRole('link');

  links[1]?.focus();

  expect(await screen.findByRole('tooltip')).toHaveTextContent('2 completed, 1 failed');
});
