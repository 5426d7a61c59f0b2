import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '../../api/http/client.ts';
import type { GraphDetail } from '../../api/types/types.ts';

/** What `POST /api/graphs/` takes. */
export type NewGraph =
  { name: string } | { document: string } | { template: string } | { duplicate_of: string };

/** Make a graph, in the folder that is shown, and open it in the editor. A copy lies where its origin does. */
export function useNewGraph() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const folder = useSearchParams()[0].get('folder');
  return useMutation({
    mutationFn: (body: NewGraph) =>
      api.post<GraphDetail>(
        'graphs/',
        folder && !('duplicate_of' in body) ? { ...body, folder } : body,
      ),
    onSuccess: (graph) => {
      void client.invalidateQueries({ queryKey: ['graphs'] });
      void navigate(`/workflows/${graph.id}`);
    },
  });
}
