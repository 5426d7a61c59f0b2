// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, serve, show, stubBrowser } from '../../../store/testing.tsx';
import { useConfirmStore } from '../../../ui/confirm.tsx';
import { YouAreAway } from './YouAreAway.tsx';

const year = new Date().getFullYear();
const absence = (part: object = {}) => ({
  id: 'a',
  absent: { id: 'ann', name: 'Ann' },
  to: { id: 'rita', name: 'Rita' },
  first_day: `${year}-11-20`,
  last_day: `${year}-11-30`,
  note: '',
  now: true,
  zone: 'UTC',
  may_change: true,
  ...part,
});
let calls: Call[] = [];

function told(...results: object[]) {
  calls = serve({
    'GET stand-ins/': { results, total: results.length },
    'GET session/': { user: { id: 'ann', name: 'Ann' }, workspace: null },
    'DELETE stand-ins/a/': {},
  });
  return show(<YouAreAway />);
}

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('who is away reads who decides meanwhile, and until when, and can end it', async () => {
  told(absence());
  const line = await screen.findByRole('region', { name: 'You are away' });
  expect(line).toHaveTextContent('You are away until 30 Nov: Rita decides meanwhile.');
  expect(screen.getByRole('link', { name: 'Change' })).toHaveAttribute('href', '/profile#away');

  fireEvent.click(screen.getByRole('button', { name: 'I am back' }));
  const { question, answer } = useConfirmStore.getState();
  expect(question?.title).toBe('Are you back?');
  answer?.(true);
  await waitFor(() => expect(calls.map(({ method }) => method)).toContain('DELETE'));
});

test.each([
  ['somebody else is away', { absent: { id: 'raul', name: 'Raul' } }],
  ['it is ahead', { now: false }],
])('nothing is said where %s', async (_, part) => {
  const { container } = told(absence(part));
  await waitFor(() => expect(calls).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve));
  expect(container.querySelector('section')).toBeNull();
});
