// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
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

test('an address that only admins may open says so to others, with a way back', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const session = { user: { id: 'bob' }, workspace: { name: 'Home', role: 'reviewer' } };
  client.setQueryData(sessionQuery.queryKey, session as unknown as Session);
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/settings/audit']}>
          <Routes>
            <Route path="/settings/:section" element={<SettingsPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );

  expect(screen.getByText('Only admins can open “Audit log”')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to the settings' })).toHaveAttribute(
    'href',
    '/settings',
  );
});
