// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { useInspected } from './useInspected.ts';

const inspected = (query = '') =>
  renderHook(useInspected, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[`/${query}`]}>{children}</MemoryRouter>
    ),
  }).result;
const choose = (...ids: string[]) => act(() => useEditor.getState().select(ids));

beforeEach(() => loadDraft());
afterEach(cleanup);

test('the gear opens the settings and puts them away', () => {
  const shown = inspected();
  expect(shown.current.subject).toBeNull();

  act(() => shown.current.toggleSettings());
  expect(shown.current.subject).toEqual({ kind: 'graph' });

  act(() => shown.current.toggleSettings());
  expect(shown.current.subject).toBeNull();
});

test('with a node selected the gear shows the settings, also where they were open before', () => {
  const shown = inspected();
  act(() => shown.current.toggleSettings());
  choose('a');
  expect(shown.current.subject).toEqual({ kind: 'node', id: 'a' });

  act(() => shown.current.toggleSettings());

  expect(shown.current.subject).toEqual({ kind: 'graph' });
});

test('a way to the settings leaves the node that is shown', () => {
  const shown = inspected();
  choose('a');

  act(() => shown.current.openSettings(''));

  expect(shown.current.subject).toEqual({ kind: 'graph' });
});

test('a link to a setting opens the settings, one to a field of a node leaves it', () => {
  expect(inspected('?field=limits.budget_usd').current.subject).toEqual({ kind: 'graph' });
  expect(inspected('?node=a&field=label').current.subject).toBeNull();
});
