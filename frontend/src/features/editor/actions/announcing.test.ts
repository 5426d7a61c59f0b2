// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { RunStatus } from '../../../api/types/types.ts';
import { connect, remove } from '../../../graph/editing/operations.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { useAnnounced } from '../../../ui/announce.ts';
import { useTesting } from '../testrun/testing.ts';
import type { TestRun } from '../testrun/useTestRun.ts';
import { gestureWords, useAnnouncing } from './announcing.ts';
import { wiring } from './keys/wiring.ts';

const editor = () => useEditor.getState();

/** What is said of the step between two looks. */
function said(step: () => void): string {
  const before = editor();
  step();
  return gestureWords(editor(), before);
}

beforeEach(() => loadDraft());
afterEach(cleanup);

it('says what was drawn, and what was taken back and done again', () => {
  expect(
    said(() => editor().gesture('Connect', (now) => connect(now, 'b', 'completed', 'a'))),
  ).toBe('Wired B, to A');
  expect(said(() => editor().undo())).toBe('Undone: Connect');
  expect(said(() => editor().redo())).toBe('Done again: Connect');
  expect(said(() => editor().gesture('Delete', (now) => remove(now, new Set(['b']))))).toBe(
    'Deleted B',
  );
});

it('says nothing where nothing was drawn', () => {
  expect(said(() => editor().select(['a']))).toBe('');
});

it('says nothing of an older step where later ones were dropped', () => {
  editor().gesture('Connect', (now) => connect(now, 'b', 'completed', 'a'));
  editor().gesture('Delete', (now) => remove(now, new Set(['b'])));

  expect(
    said(() => useEditor.setState(({ undoStack }) => ({ undoStack: undoStack.slice(0, 1) }))),
  ).toBe('');
});

it('says which wire was chosen by its key', () => {
  const press = (key: string) => {
    useAnnounced.setState({ words: '' });
    wiring()
      .find(({ keys }) => keys?.includes(key))
      ?.run();
    return useAnnounced.getState().words;
  };
  editor().select(['b']);
  expect([press(']'), press('[')]).toEqual(['Wire: A, to B', 'Wire: A, to B']);
  editor().select(['a']);
  expect([press(']'), press(']'), press('[')]).toEqual([
    ...['Wire: A, to B', 'Wire: Start, to A', 'Wire: A, to B'],
  ]);
});

it('says how a test run goes, each state once', () => {
  const store = createStore(() => ({ head: { status: 'queued' as RunStatus } }));
  const heard: string[] = [];
  const stop = useAnnounced.subscribe(({ words }) => heard.push(words));
  const run = { live: { store } } as unknown as TestRun;
  const go = (status: RunStatus) => act(() => store.setState({ head: { status } }));
  useTesting.setState({ runId: null, starting: false });
  renderHook(() => useAnnouncing(run));
  act(() => useTesting.setState({ starting: true }));
  act(() => useTesting.setState({ starting: false, runId: 'r1' }));
  go('running');
  go('waiting');
  go('waiting');
  go('running');
  go('failed');
  stop();

  expect(heard).toEqual(['The run starts', 'The run waits for a person', 'The run failed']);
});

it('says nothing of a run that had ended before one looked', () => {
  const store = createStore(() => ({ head: { status: 'queued' as RunStatus } }));
  const heard: string[] = [];
  renderHook(() => useAnnouncing({ live: { store } } as unknown as TestRun));
  const stop = useAnnounced.subscribe(({ words }) => heard.push(words));
  act(() => {
    store.setState({ head: { status: 'completed' } });
    useTesting.setState({ runId: 'old' });
  });
  stop();

  expect(heard).toEqual([]);
});
