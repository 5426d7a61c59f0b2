// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { TokenForm } from './TokenForm.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('what is missing is said at its field, which gets the focus, and nothing is sent', () => {
  const calls = serve({ 'GET graphs/': { results: [] } });
  const begin = { name: 'ci', scopes: ['runs:start' as const], graphs: [] };
  show(<TokenForm begin={begin} isAdmin onDone={() => undefined} />);
  fireEvent.click(screen.getByRole('checkbox', { name: /account of its own/ }));
  expect(screen.queryByText('Give the account a name.')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Make it' }));

  expect(screen.getByText('Give the account a name.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Name of the account' })).toHaveFocus();
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});
