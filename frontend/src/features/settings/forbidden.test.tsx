// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sessionQuery } from '../../api/http/queries.ts';
import type { Session } from '../../api/types/types.ts';
import SettingsPage from './SettingsPage.tsx';

beforeAll(() => {
  window.matchMedia = vi.fn().mockReturnValue({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  });
});

afterEach(cleanup);

function show(section: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const session = { user: { id: 'bob' }, workspace: { name: 'Home', role: 'reviewer' } };
  client.setQueryData(sessionQuery.queryKey, session as unknown as Session);
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[`/settings/${section}`]}>
          <Routes>
            <Route path="/settings/:section" element={<SettingsPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test('an address that only admins may open says so to others, with a way back', () => {
  show('audit');

  expect(screen.getByText('Only admins can open “Audit log”')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to the settings' })).toHaveAttribute(
    'href',
    '/settings',
  );
});

test('an address of no section says so, beside those that there are', () => {
  show('modles');

  expect(screen.getByText('There is nothing at this address')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Models and prices' })).toBeInTheDocument();
  expect(document.title).toContain('Nothing here');
});

test('the section that is open comes into sight again where a phone is turned', () => {
  const hear: (() => void)[] = [];
  const look = {
    matches: false,
    addEventListener: (_: string, turn: () => void) => hear.push(turn),
  };
  const scrolled = vi.fn();
  window.matchMedia = vi.fn().mockReturnValue({ ...look, removeEventListener: vi.fn() });
  Element.prototype.scrollIntoView = scrolled;
  show('groups');
  scrolled.mockClear();

  act(() => hear.forEach((turn) => (turn as (event: object) => void)({ matches: true })));
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest', inline: 'center' });
});
