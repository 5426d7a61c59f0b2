// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Channel } from '../../../api/http/workspace/telling.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { ChannelRow } from './ChannelRow.tsx';

const channel = {
  id: 'c',
  of: 'workspace',
  kind: 'webhook',
  name: 'Desk',
  hint: 'example.com/…hook',
  verified_at: null,
  on: true,
  off_why: '',
  code_until: null,
  quiet: null,
} as unknown as Channel;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('why a test did not arrive stays beside the channel, until one does', async () => {
  const answer = { arrived: false, reason: 'answered 404' };
  serve({ 'POST channels/c/test/': answer, 'GET channels/': { results: [channel], total: 1 } });
  show(<ChannelRow channel={channel} />);
  expect(screen.getByText('Waits for a test')).toBeVisible();

  fireEvent.click(screen.getByRole('button', { name: 'Test Desk' }));
  expect(await screen.findByText('The test did not arrive: answered 404')).toBeVisible();

  answer.arrived = true;
  fireEvent.click(screen.getByRole('button', { name: 'Test Desk' }));
  await waitFor(() => expect(screen.queryByText(/did not arrive/)).toBeNull());
});
