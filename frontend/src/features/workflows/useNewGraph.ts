import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api } from '../../api/http/client.ts';
import type { GraphDetail } from '../../api/types/types.ts';

/** What `POST /api/graphs/` takes. */
export type NewGraph =
  { name: string } | { document: string } | { template: string } | { duplicate_of: string };

/** Make a graph and open it in the editor. */
export function useNewGraph() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: NewGraph) => api.post<GraphDetail>('graphs/', body),
    onSuccess: (graph) => {
      void client.invalidateQueries({ queryKey: ['graphs'] });
      void navigate(`/workflows/${graph.id}`);
    },
  });
}
