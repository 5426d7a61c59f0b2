/** The folders that workflows lie in: paths of names, such as `Support/Refunds`. */

import { queryOptions } from '@tanstack/react-query';
import type { Folder, Page } from '../../types/types.ts';
import { api } from '../client.ts';

/** Under `graphs`: what refreshes the list of workflows refreshes its folders. */
export const foldersQuery = queryOptions({
  queryKey: ['graphs', 'folders'],
  queryFn: async () => (await api.get<Page<Folder>>('folders/')).results,
});

export const moveTo = (graphs: readonly string[], folder: string) =>
  api.post<{ moved: number }>('folders/move/', { graphs, folder });

export const renameFolder = (from: string, to: string) =>
  api.post<{ moved: number }>('folders/rename/', { from, to });
