// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import type { DecisionControl } from '../useDecision.ts';
import { DoubtBody } from './DoubtBody.tsx';

beforeEach(stubBrowser);
afterEach(cleanup);

const asked = (request: object, draft: object = {}) => {
  const change = vi.fn();
  const control = {
    item: { request: { reason: 'unknown_outcome', ...request } },
    draft: { result: '', resultStatus: '', ...draft },
    problems: {},
    change,
  } as unknown as DecisionControl;
  return { control, change };
};
const request = {
  method: 'POST',
  url: 'https://pay.example/pay',
  body: '{"amount":40}',
  idempotency_key: 'key-1',
  sent_at: '2026-11-28T08:00:00Z',
  attempt: 2,
};

test('of an HTTP request it shows what was sent and asks for status and answer', () => {
  const { control, change } = asked(request);
  show(<DoubtBody control={control} readOnly={false} />);

  expect(screen.getByText('POST')).toBeInTheDocument();
  expect(document.body).toHaveTextContent('https://pay.example/pay');
  expect(document.body).toHaveTextContent('attempt 2');
  expect(screen.getByRole('button', { name: 'Copy the key' })).toBeInTheDocument();
  fireEvent.change(screen.getByLabelText('Status that it answered'), { target: { value: '201' } });
  expect(change).toHaveBeenCalledWith({ resultStatus: '201' });
  fireEvent.change(screen.getByLabelText('If it happened: what it answered'), {
    target: { value: '{"id":7}' },
  });
  expect(change).toHaveBeenCalledWith({ result: '{"id":7}' });
});

test('it says with what the run goes on', () => {
  const { control } = asked(request, { result: '{"id":7,"state":"paid"}' });
  show(<DoubtBody control={control} readOnly={false} />);
  expect(screen.getByText('The run goes on with the fields id, state.')).toBeInTheDocument();
});

test('of a tool there is no status, and who only reads is asked nothing', () => {
  const { control } = asked({ tool: 'pay', arguments: { amount: 40 } });
  const { rerender } = show(<DoubtBody control={control} readOnly={false} />);
  expect(screen.queryByLabelText('Status that it answered')).toBeNull();
  expect(screen.getByLabelText('If it happened: what it answered')).toBeInTheDocument();
  rerender(<DoubtBody control={control} readOnly />);
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('where no call was made nobody is asked what it answered', () => {
  const { control } = asked({ ...request, reason: 'poison' });
  show(<DoubtBody control={control} readOnly={false} />);
  expect(document.body).toHaveTextContent('brought several workers down');
  expect(screen.queryByRole('textbox')).toBeNull();
});
