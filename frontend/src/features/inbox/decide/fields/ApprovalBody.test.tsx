// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { untouched } from '../../testing.ts';
import { emptyDraft } from '../answer.ts';
import { ApprovalBody } from '../bodies.tsx';
import type { DecisionControl } from '../useDecision.ts';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const money = { type: 'number', title: 'Amount', format: 'money', 'x-unit': 'USD' };
const schemas = { amount: money, 'input.amount': money };
const item = {
  ...untouched,
  kind: 'approval',
  status: 'open',
  request: {
    prompt: 'Pay?',
    data: { amount: 2587.7, 'input.amount': 2587.7 },
    editable_keys: ['amount'],
    edit_schema: { type: 'object', properties: { amount: money } },
  },
} as unknown as Interrupt;
const body = (mode: string, amount: string) => {
  const draft = { ...emptyDraft(item), inputs: { amount } };
  const control = { item, draft, mode, problems: {}, change: vi.fn() };
  show(
    <ApprovalBody
      control={control as unknown as DecisionControl}
      readOnly={false}
      schemas={schemas}
    />,
  );
};

test('what one edited stands on screen while one is asked whether it shall be sent', () => {
  body('confirm', '300');

  const edits = screen.getByRole('region', { name: 'Your edits, not sent yet' });
  expect(within(edits).getByText('$2,587.70').tagName).toBe('DEL');
  expect(within(edits).getByText('$300.00').tagName).toBe('INS');
});

test('a field of the start says so beside one that is called alike', () => {
  body('look', '2587.7');

  expect(screen.queryByRole('region')).toBeNull();
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Amount',
    'Amount at the start',
  ]);
});

test('a rejection goes without edits', () => {
  body('reject', '300');

  expect(screen.queryByRole('region')).toBeNull();
  expect(screen.queryByText('$300.00')).toBeNull();
});
