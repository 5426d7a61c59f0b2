import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/http/client.ts';
import { allRows } from '../../../api/http/queries.ts';
import { foldersQuery, moveTo, renameFolder } from '../../../api/http/workspace/folders.ts';
import type { GraphSummary } from '../../../api/types/types.ts';
import { around, byFolder, spoken, workflowsWord } from './paths.ts';

/** What is dragged to a folder: ids of workflows, one a line. */
export const DRAGGED = 'application/x-graphwright-workflows';

const SHOWN_MS = 8_000;
/** How many workflows one request moves. */
const MOST = 200;

/** A workflow, and the folder that it lies in now. */
export interface Placed {
  id: string;
  folder: string;
}

/** Put workflows into a folder, or a whole folder under another path, and say what happened, with the way back. */
export function useMove() {
  const client = useQueryClient();
  const fresh = () => void client.invalidateQueries({ queryKey: ['graphs'] });
  const done = (moved: number, folder: string, back?: () => Promise<unknown>) => {
    fresh();
    const where = folder ? `now in ${spoken(folder)}` : 'now in no folder';
    sayMoved(`${workflowsWord(moved)} ${where}.`, back && (() => back().then(fresh)));
  };
  const move = useMutation({
    mutationFn: ({ graphs, folder }: { graphs: readonly Placed[]; folder: string }) =>
      moveTo(
        graphs.map(({ id }) => id),
        folder,
      ),
    onSuccess: ({ moved }, { graphs, folder }) => done(moved, folder, () => putBack(graphs)),
  });
  const rename = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => renameFolder(from, to),
    onSuccess: ({ moved }, { from, to }) => {
      const known = client.getQueryData(foldersQuery.queryKey) ?? [];
      const isNew = to !== '' && !known.some(({ path }) => path === to);
      done(moved, to, isNew ? () => renameFolder(to, from) : undefined);
    },
  });
  const remove = useMutation({
    mutationFn: async (folder: string) => {
      const lay = await allRows<GraphSummary>('graphs/', { folder });
      return { lay, ...(await renameFolder(folder, around(folder))) };
    },
    onSuccess: ({ moved, lay }, folder) => done(moved, around(folder), () => putBack(lay)),
  });
  return { move, rename, remove };
}

/** Put each workflow where it lay. */
async function putBack(graphs: readonly Placed[]): Promise<void> {
  for (const [path, ids] of byFolder(graphs))
    for (let first = 0; first < ids.length; first += MOST)
      await moveTo(ids.slice(first, first + MOST), path);
}

/** Say that what was dropped lies where it lay. */
export const sayNotMoved = (error: Error): void =>
  void notifications.show({ color: 'red', title: 'Nothing was moved', message: messageOf(error) });

function sayMoved(words: string, back?: () => Promise<unknown>): void {
  const undo = () => {
    notifications.hide(id);
    back?.().catch(sayNotMoved);
  };
  const id = notifications.show({
    autoClose: SHOWN_MS,
    message: back ? (
      <Group justify="space-between" wrap="nowrap">
        {words}
        <Button size="compact-sm" variant="default" onClick={undo}>
          Undo
        </Button>
      </Group>
    ) : (
      words
    ),
  });
}
