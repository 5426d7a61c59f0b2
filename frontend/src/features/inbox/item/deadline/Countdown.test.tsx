// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { Countdown } from './Countdown.tsx';

const SECOND = 1000;
const HOUR = 3_600 * SECOND;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T09:00:00Z') });
  stubBrowser();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a row and the item that is opened later say the same time', () => {
  const until = inMs(HOUR + 5 * SECOND);
  const row = show(<Countdown until={until} />).container;
  expect(row).toHaveTextContent('1 h left');
  pass(8 * SECOND);
  const item = show(<Countdown until={until} />).container;
  expect([row.textContent, item.textContent]).toEqual(['59 min left', '59 min left']);
});

test('the last minute counts seconds, and then the time is up', () => {
  const { container } = show(<Countdown until={inMs(61 * SECOND)} />);
  expect(container).toHaveTextContent('1 min left');
  expect(container.querySelector('[data-urgent]')).not.toBeNull();
  pass(3 * SECOND);
  expect(container).toHaveTextContent('58 s left');
  pass(60 * SECOND);
  expect(container).toHaveTextContent('Time is up');
});
