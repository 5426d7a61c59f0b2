import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '../../../api/http/queries.ts';
import type { GraphSummary } from '../../../api/types/types.ts';
import type { FolderQuestion } from './FolderDialog.tsx';
import { spoken, workflowsWord } from './paths.ts';
import { useMove } from './useMove.ts';
import { usePicks } from './usePicks.ts';

/** What is moved between folders, and which one the address names from now on. */
export function useFolder(folder: string, rows: readonly GraphSummary[]) {
  const [, setParams] = useSearchParams();
  const role = useSession().data?.workspace?.role;
  const mayMove = role === 'author' || role === 'admin';
  const [question, setQuestion] = useState<FolderQuestion | null>(null);
  const picks = usePicks(rows, folder);
  const { move, rename } = useMove();
  const go = useCallback(
    (to: string) =>
      setParams((now) => {
        now.delete('folder');
        if (to) now.set('folder', to);
        return now;
      }),
    [setParams],
  );
  const put = (graphs: readonly string[], to: string) =>
    move.mutate({ graphs, folder: to }, { onSuccess: picks.clear });
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
  const askName = () =>
    setQuestion({
      title: `Rename “${spoken(folder)}”`,
      text: 'All workflows in it come along. Empty: the folder goes, the workflows stay.',
      send: 'Rename',
      folder,
      onAnswer: (to) => rename.mutate({ from: folder, to }, { onSuccess: () => go(to) }),
    });
  return { go, mayMove, picks, put, ask, askName, question, close: () => setQuestion(null) };
}
