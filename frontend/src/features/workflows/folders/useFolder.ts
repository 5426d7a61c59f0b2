import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '../../../api/http/queries.ts';
import type { GraphSummary } from '../../../api/types/types.ts';
import type { FolderQuestion } from './FolderDialog.tsx';
import { around, spoken, workflowsWord } from './paths.ts';
import { sayNotMoved, useMove } from './useMove.tsx';
import { usePicks } from './usePicks.ts';

/** What is moved between folders, and which one the address names from now on. */
export function useFolder(folder: string, rows: readonly GraphSummary[]) {
  const [, setParams] = useSearchParams();
  const role = useSession().data?.workspace?.role;
  const mayMove = role === 'author' || role === 'admin';
  const [question, setQuestion] = useState<FolderQuestion | null>(null);
  const picks = usePicks(rows, folder);
  const { move, rename, remove } = useMove();
  const go = useCallback(
    (to: string) =>
      setParams((now) => {
        now.delete('folder');
        if (to) now.set('folder', to);
        return now;
      }),
    [setParams],
  );
  const put = async (ids: readonly string[], to: string) => {
    const lying = new Map(rows.map(({ id, folder: from }) => [id, from]));
    const graphs = ids.map((id) => ({ id, folder: lying.get(id) ?? '' }));
    await move.mutateAsync({ graphs, folder: to });
    picks.clear();
  };
  const drop = (ids: readonly string[], to: string) => void put(ids, to).catch(sayNotMoved);
  const ask = (graphs: readonly GraphSummary[]) => {
    const [first] = graphs;
    if (!first) return;
    setQuestion({
      title: graphs.length === 1 ? `Move “${first.name}”` : `Move ${workflowsWord(graphs.length)}`,
      text: 'Choose one, or write a new one; / puts one into another. Empty: no folder.',
      send: 'Move',
      folder: first.folder,
      onAnswer: (to) =>
        put(
          graphs.map(({ id }) => id),
          to,
        ),
    });
  };
  const askNew = () =>
    setQuestion({
      title: 'New folder',
      text: '/ puts one into another.',
      send: 'Make',
      folder: folder && `${folder}/`,
      among: [...picks.picked],
      onAnswer: (to, ids) => put(ids, to),
    });
  const askName = () =>
    setQuestion({
      title: `Rename “${spoken(folder)}”`,
      text: 'All workflows in it come along. Empty: the folder goes, the workflows stay.',
      send: 'Rename',
      folder,
      onAnswer: async (to) => {
        await rename.mutateAsync({ from: folder, to });
        go(to);
      },
    });
  const takeAway = () =>
    void remove
      .mutateAsync(folder)
      .then(() => {
        go(around(folder));
        requestAnimationFrame(keepFocus);
      })
      .catch(sayNotMoved);
  const close = () => {
    setQuestion(null);
    requestAnimationFrame(keepFocus);
  };
  return { go, mayMove, picks, drop, ask, askNew, askName, takeAway, question, close };
}

/** What had the focus may be gone with what was moved: what is typed next is no shortcut then. */
function keepFocus(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('[role="search"] input')?.focus();
}
