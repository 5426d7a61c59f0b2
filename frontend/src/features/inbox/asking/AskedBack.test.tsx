// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt, QuestionBack } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { useConfirmStore } from '../../../ui/confirm.tsx';
import { untouched } from '../testing.ts';
import { AskedBack } from './AskedBack.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const question: QuestionBack = {
  by: { id: 'r', name: 'Rita' },
  to: { id: 'o', name: 'Otto' },
  question: 'Which bank?',
  asked_at: '2026-11-23T10:12:00Z',
  until: '2026-11-30T10:12:00Z',
  left_ms: null,
  outcome: '',
  reply: null,
  ended_at: null,
  ended_by: null,
  asks_me: false,
};
const item = (part: Partial<QuestionBack> = {}) =>
  ({
    ...untouched,
    request_id: 'i',
    status: 'open',
    can_decide: true,
    asked_back: [{ ...question, ...part }],
  }) as unknown as Interrupt;
const served = (absences: unknown[] = []) =>
  serve({
    'GET stand-ins/': { results: absences, total: absences.length },
    'GET session/': { user: { id: 'me', name: 'Me' }, workspace: null },
    'DELETE interrupts/i/ask-back/': item({ outcome: 'withdrawn' }),
  });
const deletes = (calls: ReturnType<typeof served>) =>
  calls.filter(({ method }) => method === 'DELETE').length;

test('the question of another person is taken back only when one says so', async () => {
  const calls = served();
  show(<AskedBack item={item()} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Take Rita’s question back' }));

  const { question: asked, answer } = useConfirmStore.getState();
  expect(asked?.title).toBe('Take back Rita’s question?');
  expect(asked?.text).toContain('waits for Otto');
  expect(deletes(calls)).toBe(0);
  act(() => answer?.(true));
  await waitFor(() => expect(deletes(calls)).toBe(1));
});

test('one’s own is taken back at once', async () => {
  const calls = served();
  show(<AskedBack item={item({ by: { id: 'me', name: 'Me' } })} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Take the question back' }));

  await waitFor(() => expect(deletes(calls)).toBe(1));
});

test('the item says who took a question back', () => {
  served();
  const otto = { id: 'o', name: 'Otto' };
  show(<AskedBack item={item({ outcome: 'withdrawn', ended_by: otto })} />);

  expect(screen.getByRole('region')).toHaveTextContent('Otto took the question back');
});

test('who is named in a question and its answer is set off there', async () => {
  const lena = { user: { id: 'l', name: 'Lena' }, role: 'reviewer', groups: [] };
  serve({
    'GET stand-ins/': { results: [], total: 0 },
    'GET session/': { user: { id: 'me', name: 'Me' }, workspace: null },
    'GET members/': { results: [lena], total: 1, next: null },
  });
  const asked = { question: 'Which bank, @Lena?', reply: 'Ask @Nobody', outcome: 'answered' };
  show(<AskedBack item={item(asked)} />);

  expect((await screen.findByText('@Lena')).tagName).toBe('B');
  expect(screen.getByText('Ask @Nobody').tagName).toBe('Q');
});

test('the item says that who is asked is away', async () => {
  const absent = { id: 'o', name: 'Otto' };
  served([{ id: 's', absent, to: { id: 'l', name: 'Lena' }, last_day: '2026-12-04', now: true }]);
  show(<AskedBack item={item()} />);

  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent(
      /Otto is away until 4 Dec.*: nobody answers in their place/,
    ),
  );
});
