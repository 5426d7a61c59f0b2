// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { untouched } from '../testing.ts';
import { ReplyField } from './ReplyField.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const item = { ...untouched, request_id: 'i', status: 'open' } as unknown as Interrupt;
const member = (id: string, name: string) => ({ user: { id, name, email: '' }, role: 'author' });

test('an answer offers people after an @, says who is told, and sends whom it names', async () => {
  const calls = serve({
    'GET members/': { results: [member('o', 'Otto Berg'), member('r', 'Rita')], next: null },
    'POST interrupts/i/answer-back/': item,
  });
  show(<ReplyField item={item} by="Rita" />);
  const field = screen.getByRole('combobox', { name: 'Your answer to Rita' });
  fireEvent.change(field, { target: { value: 'Ask @ot', selectionStart: 7 } });
  fireEvent.mouseDown(await screen.findByRole('option', { name: 'Otto Berg' }));

  expect(field).toHaveValue('Ask @Otto Berg ');
  expect(screen.getByRole('status')).toHaveTextContent('Otto Berg is told of it too.');
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      reply: 'Ask @Otto Berg',
      mentions: ['o'],
    }),
  );
});

test('a whole name that was written by hand is told too', async () => {
  const calls = serve({
    'GET members/': { results: [member('o', 'Otto Berg')], next: null },
    'POST interrupts/i/answer-back/': item,
  });
  show(<ReplyField item={item} by="Rita" />);
  const field = screen.getByRole('combobox', { name: 'Your answer to Rita' });
  fireEvent.change(field, { target: { value: 'Ask @Otto Berg about it' } });

  expect(await screen.findByText('Otto Berg is told of it too.')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      reply: 'Ask @Otto Berg about it',
      mentions: ['o'],
    }),
  );
});

test('who names only themselves is not said to be told', async () => {
  serve({
    'GET session/': { user: { id: 'o', name: 'Otto Berg' } },
    'GET members/': { results: [member('o', 'Otto Berg'), member('r', 'Rita')], next: null },
  });
  show(<ReplyField item={item} by="Rita" />);
  const field = screen.getByRole('combobox', { name: 'Your answer to Rita' });
  fireEvent.change(field, { target: { value: 'I, @Otto Berg, and @Rita' } });

  expect(await screen.findByText('Rita is told of it too.')).toBeVisible();
});
