// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { AwayList } from './AwayList.tsx';

beforeEach(() => {
  stubBrowser();
  serve({
    'GET stand-ins/': { results: [], total: 0 },
    'GET session/': { user: { id: 'ann', name: 'Ann' }, workspace: null },
    'GET members/': { results: [], total: 0 },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ann = { id: 'ann', name: 'Ann' };

test.each([null, 'asked by a menu that is gone'])(
  'the dialog begins in its first field, and gives the focus back to the button (%s)',
  async (asked) => {
    show(<AwayList person={ann} own asked={asked} />);
    if (asked === null) {
      const button = screen.getByRole('button', { name: 'I am away' });
      button.focus();
      fireEvent.click(button);
    }
    await waitFor(() => expect(screen.getByLabelText('First day')).toHaveFocus());

    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'I am away' })).toHaveFocus());
  },
);
