// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { AuditSettings } from './AuditSettings.tsx';
import { EntryDetails } from './EntryDetails.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the days that the log is narrowed by say in sight which is the first', () => {
  serve({});
  show(<AuditSettings />);

  expect(['From', 'To'].map((name) => screen.getByText(name).tagName)).toEqual(['LABEL', 'LABEL']);
});

test('a press on an entry shows all of it, also where its line has no room', async () => {
  serve({});
  show(
    <EntryDetails
      entry={{
        n: 4,
        at: '2026-11-29T18:16:05Z',
        actor: { id: 'u', name: 'Ada' },
        action: 'trigger.created',
        target: 't',
        target_name: 'Every morning',
        detail: { config: { cron: '0 8 * * *', zone: 'UTC' }, on: true },
        names: {},
        hash: '',
      }}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Trigger added' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Trigger added' }));
  for (const said of ['Every morning', 'Ada', 'settings: due every day at 08:00, time zone UTC'])
    expect(dialog.getByText(said)).toBeTruthy();
});
