// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../../store/testing.tsx';
import { emptyDraft } from '../../decide/answer.ts';
import { keepDraft } from '../../rhythm/drafts.ts';
import { untouched } from '../../testing.ts';
import { ItemTools } from './ItemTools.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('who delegates is told that what they wrote stays with them', async () => {
  serve({ 'GET session/': { user: { id: 'me' } } });
  const item = {
    ...untouched,
    request_id: 'i',
    kind: 'approval',
    status: 'open',
    content_hash: 'h',
    eligible: [{ id: 'rita', name: 'Rita' }],
    request: { prompt: 'Send it?', data: {} },
  } as unknown as Interrupt;
  show(<ItemTools item={item} onAsk={() => {}} shortcuts={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Delegate' }));
  expect(await screen.findByText('Ask to decide')).toBeVisible();
  expect(screen.queryByText(/stays with you/)).toBeNull();

  act(() => keepDraft(item, { ...emptyDraft(item), comment: 'Too much' }, 'look'));
  expect(screen.getByText(/What you wrote here stays with you/)).toBeVisible();
});
