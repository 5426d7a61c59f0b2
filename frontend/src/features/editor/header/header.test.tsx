// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../../api/http/client.ts';
import { toDocument } from '../../../graph/document/document.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../../store/testing.tsx';
import { About } from './About.tsx';
import { LiveBadge } from './LiveBadge.tsx';

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const start = { name: 'Hiring', description: 'Reads letters.', tags: ['people'] };

test('name, description and tags are changed where the name stands', async () => {
  const next = { name: 'Hiring 2', description: 'Reads letters.', tags: ['people'] };
  const patch = vi.spyOn(api, 'patch').mockResolvedValue(next);
  // all that is known of the workflow is given, as by the editor: only these words are sent
  const known = { ...start, id: 'g1', slug: 'hiring', problems: [], revision: 4 };
  show(<About graphId="g1" start={known} readOnly={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Hiring' }));

  const name = await screen.findByLabelText('Name');
  await waitFor(() => expect(name).toHaveFocus());
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Hiring 2' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(screen.getByRole('heading', { name: 'Hiring 2' })).toBeVisible());
  expect(patch).toHaveBeenCalledWith('graphs/g1/', next);
  expect(useEditor.getState().head.name).toBe('Hiring 2');
});

test('a workflow keeps a name, and those who only read change none', async () => {
  show(<About graphId="g1" start={start} readOnly={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Hiring' }));
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' ' } });
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  cleanup();

  show(<About graphId="g1" start={start} readOnly />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('Escape puts the words away also while the focus is elsewhere', async () => {
  show(<About graphId="g1" start={start} readOnly={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Hiring' }));
  await screen.findByLabelText('Name');
  fireEvent.keyDown(document.body, { key: 'Escape' });

  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
});

test('the badge counts what differs from the live version, and shows it', async () => {
  const { records, head } = useEditor.getState();
  vi.spyOn(api, 'get').mockResolvedValue({ document: toDocument(records, head) });
  const shown = vi.fn();
  const changed = vi.fn();
  show(<LiveBadge graphId="g1" version={3} onShow={shown} onChanges={changed} />);
  expect(await screen.findByText('v3 live')).toBeVisible();
  await waitFor(() => expect(changed).toHaveBeenLastCalledWith(0));

  act(() =>
    useEditor.getState().gesture('Goal', (now) => ({
      ...now,
      settings: { ...now.settings, goal: 'More' },
    })),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'v3 live · 1 change' }));

  expect(shown).toHaveBeenCalled();
  expect(changed).toHaveBeenLastCalledWith(1);
});

test('what was never published says so', () => {
  show(<LiveBadge graphId="g1" version={null} onShow={() => undefined} />);

  expect(screen.getByText('Never published')).toBeVisible();
});

test('the badge says what came of asking to publish what differs', async () => {
  const { records, head } = useEditor.getState();
  vi.spyOn(api, 'get').mockResolvedValue({ document: toDocument(records, head) });
  const shown = vi.fn();
  show(<LiveBadge graphId="g1" version={3} asked="rejected" onShow={shown} />);
  expect(await screen.findByText('v3 live')).toBeVisible();

  act(() =>
    useEditor.getState().gesture('Goal', (now) => ({
      ...now,
      settings: { ...now.settings, goal: 'Most' },
    })),
  );

  fireEvent.click(await screen.findByRole('button', { name: 'v3 live · 1 change · rejected' }));
  expect(shown).toHaveBeenCalled();
});

test('what came of asking stays in the narrowest bar, without what is said beside it', async () => {
  vi.spyOn(api, 'get').mockResolvedValue({ asks: ['role:admin'], request: { state: 'open' } });
  show(<LiveBadge graphId="g1" version={null} asked="open" onShow={() => undefined} />);

  const badge = await screen.findByRole('button', { name: 'Never published · waits for approval' });
  expect(badge.className).not.toMatch(/wide/);
  expect(screen.getByText(/^Never published/).className).toMatch(/wide/);
  expect(screen.getByText(/waits for approval/).className).not.toMatch(/wide/);
});

test('while one waits for approval it is looked at, and what it becomes is told', async () => {
  const request = { state: 'rejected' };
  vi.spyOn(api, 'get').mockResolvedValue({ asks: ['role:admin'], request });
  show(<LiveBadge graphId="g1" version={null} asked="open" onShow={() => undefined} />);

  expect(
    screen.getByRole('button', { name: 'Never published · waits for approval' }),
  ).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Never published · rejected' })).toBeVisible();
});

test('once it is approved the badge names the version that is live by now', async () => {
  const { records, head } = useEditor.getState();
  const request = { state: 'published', published: 4 };
  vi.spyOn(api, 'get').mockImplementation((path) =>
    Promise.resolve(
      path.endsWith('publication/')
        ? { asks: ['role:admin'], request }
        : { document: toDocument(records, head) },
    ),
  );
  show(<LiveBadge graphId="g1" version={3} asked="open" onShow={() => undefined} />);

  expect(await screen.findByText('v4 live')).toBeVisible();
});

test('a rejection says nothing where nobody has to be asked any more', async () => {
  vi.spyOn(api, 'get').mockResolvedValue({ asks: null, request: { state: 'rejected' } });
  show(<LiveBadge graphId="g1" version={null} asked="open" onShow={() => undefined} />);

  expect(await screen.findByText('Never published')).toBeVisible();
});
