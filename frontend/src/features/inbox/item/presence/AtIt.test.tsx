// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { untouched } from '../../testing.ts';
import { AtIt } from './AtIt.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['me', 'You claimed this'],
  ['r', 'Rita claimed this'],
])('a claim of %s reads “%s”', async (id, words) => {
  serve({ 'GET session/': { user: { id: 'me', name: 'Me' }, workspace: null } });
  const claim = { by: { id, name: id === 'me' ? 'Me' : 'Rita' }, at: '2026-11-29T12:00:00Z' };
  const item = { ...untouched, request_id: 'i', status: 'open', claim } as unknown as Interrupt;
  show(<AtIt item={item} />);

  await waitFor(() => expect(screen.getByRole('list')).toHaveTextContent(words));
});
