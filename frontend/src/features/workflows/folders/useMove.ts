import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/http/client.ts';
import { moveTo, renameFolder } from '../../../api/http/workspace/folders.ts';
import { spoken, workflowsWord } from './paths.ts';

/** What is dragged to a folder: ids of workflows, one a line. */
export const DRAGGED = 'application/x-graphwright-workflows';

/** Put workflows into a folder, or a whole folder under another path, and say what happened. */
export function useMove() {
  const client = useQueryClient();
  const done = (moved: number, folder: string) => {
    void client.invalidateQueries({ queryKey: ['graphs'] });
    const where = folder ? `now in ${spoken(folder)}` : 'now in no folder';
    notifications.show({ message: `${workflowsWord(moved)} ${where}.` });
  };
  const failed = (error: Error) =>
    notifications.show({ color: 'red', title: 'Nothing was moved', message: messageOf(error) });
  const move = useMutation({
    mutationFn: ({ graphs, folder }: { graphs: readonly string[]; folder: string }) =>
      moveTo(graphs, folder),
    onSuccess: ({ moved }, { folder }) => done(moved, folder),
    onError: failed,
  });
  const rename = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => renameFolder(from, to),
    onSuccess: ({ moved }, { to }) => done(moved, to),
    onError: failed,
  });
  return { move, rename };
}
