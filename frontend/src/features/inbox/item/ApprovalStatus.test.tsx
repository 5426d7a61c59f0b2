// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { untouched } from '../testing.ts';
import { ApprovalStatus, ApprovedSoFar } from './ApprovalStatus.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const said = (name: string, decision: string) => ({
  by: { id: name, name },
  decision,
  at: '2026-11-23T09:00:00Z',
  comment: `${name} wrote this`,
});
const item = (status: string, ...approvals: object[]) =>
  ({
    ...untouched,
    status,
    quorum: { rule: 'at_least', needed: 2, remaining: 1, missing: [], reachable: true, approvals },
  }) as unknown as Interrupt;
const shown = (one: Interrupt) =>
  show(
    <>
      <ApprovedSoFar item={one} />
      <ApprovalStatus item={one} whyMe="You are asked by name." />
    </>,
  );

test('who approved an open item stands apart, and not a second time among who decides', () => {
  shown(item('open', said('Grace', 'approved'), said('Hugo', 'rejected')));
  const soFar = screen.getByRole('region', { name: 'Approved so far' });
  expect(soFar).toHaveTextContent(/1 of 2 approved.*Grace approved.*Grace wrote this/);
  expect(soFar).not.toHaveTextContent('Hugo');
  const deciders = screen.getByRole('region', { name: 'Who decides' });
  expect(deciders).toHaveTextContent('You are asked by name');
  expect(deciders).not.toHaveTextContent('Grace');
});

test.each([
  ['nobody approved yet', item('open')],
  ['it is closed', item('answered', said('Grace', 'approved'))],
])('nothing stands apart where %s', (_, one) => {
  shown(one);
  expect(screen.queryByRole('region', { name: 'Approved so far' })).toBeNull();
  expect(screen.getByRole('region', { name: 'Who decides' })).toHaveTextContent('1 of 2 approved');
});

test('whom it was passed on to reads as a sentence', () => {
  const one = { ...item('open'), escalated: ['any owner', 'Raul'] };
  shown(one);
  expect(screen.getByText(/^Passed on to/)).toHaveTextContent(
    'Passed on to any owner and Raul, because it was not decided in time.',
  );
});
