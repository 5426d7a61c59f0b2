// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Proposal } from '../../api/http/workspace/describe.ts';
import { show, stubBrowser } from '../../store/testing.tsx';
import { NotDrafted } from './NotDrafted.tsx';

beforeEach(stubBrowser);
afterEach(cleanup);

const refused = {
  status: 'refused',
  message: 'No answer passed the check. Nothing was changed.',
  wrong: ['the answer holds no JSON object'],
  spent_usd: '0',
} as unknown as Proposal;

test('why no draft came is said with what to do; what the model was told only to who asks', () => {
  const back = vi.fn();
  show(<NotDrafted proposal={refused} onBack={back} />);

  expect(screen.getByText(/choose a more capable model/)).toBeVisible();
  expect(screen.getByText('the answer holds no JSON object')).not.toBeVisible();
  fireEvent.click(screen.getByText('What was wrong with the answers'));
  expect(screen.getByText('the answer holds no JSON object').closest('details')).toHaveProperty(
    'open',
    true,
  );

  fireEvent.click(screen.getByRole('button', { name: 'Change the words' }));
  expect(back).toHaveBeenCalledOnce();
});
