// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { Held } from './AtBreakpoint.tsx';

const noop = vi.fn();
const names: Record<string, string> = { a: 'Left', b: 'Right' };
const stand = (...nodes: string[]) => {
  const held = nodes.map((node) => ({ requestId: `at-${node}`, node }));
  show(<Held runId="r1" held={held} label={(node) => names[node] ?? node} onNode={noop} />);
};
const words = () => screen.getAllByRole('button').map((button) => button.textContent);

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('one breakpoint has its three ways on', () => {
  stand('a');
  expect(words()).toEqual(['Stands before Left', 'Continue', 'Step', 'Stop']);
});

test('from several a run goes on at once, and is stopped in one place', async () => {
  const calls = serve({ 'POST runs/r1/breakpoint/': {} });
  stand('a', 'b');
  const ways = ['Continue', 'Step'];
  expect(words()).toEqual([
    ...['Continue all', 'Stop the run'],
    ...['Stands before Left', ...ways],
    ...['Stands before Right', ...ways],
  ]);

  fireEvent.click(screen.getByRole('button', { name: 'Continue all' }));
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect(calls.map(({ body }) => body)).toEqual([
    { request_id: 'at-a', decision: 'continue' },
    { request_id: 'at-b', decision: 'continue' },
  ]);
});

test('to stop the run is said once, for all', async () => {
  const calls = serve({ 'POST runs/r1/breakpoint/': {} });
  stand('a', 'b');
  const all = screen.getByRole('group', { name: 'At all breakpoints' });
  fireEvent.click(within(all).getByRole('button', { name: 'Stop the run' }));

  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await Promise.resolve();
  expect(calls.map(({ body }) => body)).toEqual([{ request_id: 'at-a', decision: 'stop' }]);
});
