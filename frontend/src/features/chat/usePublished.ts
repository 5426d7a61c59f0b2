import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/http/client.ts';
import { graphQuery } from '../../api/http/queries.ts';
import type { GraphDetail, GraphVersionDetail } from '../../api/types/types.ts';

/** A workflow as it is live: its published document, and what its nodes are called. */
export interface Published {
  graph: GraphDetail;
  number: number;
  version: GraphVersionDetail;
  labels: ReadonlyMap<string, string>;
}

interface Found {
  published: Published | null;
  graph: GraphDetail | null;
  error: unknown;
  retry: () => void;
}

/** What is live of a workflow. `graph` without `published`: nothing is, or it is still being read. */
export function usePublished(graphId: string): Found {
  const graph = useQuery(graphQuery(graphId));
  const number = graph.data?.published?.number;
  const version = useQuery({
    queryKey: ['version', graphId, number],
    queryFn: () => api.get<GraphVersionDetail>(`graphs/${graphId}/versions/${number ?? 0}/`),
    enabled: number !== undefined,
    staleTime: Infinity,
  });
  const published = useMemo<Published | null>(() => {
    if (!graph.data || number === undefined || !version.data) return null;
    const labels = new Map(
      version.data.document.nodes.map((node) => [node.id, node.label || node.id]),
    );
    return { graph: graph.data, number, version: version.data, labels };
  }, [graph.data, number, version.data]);
  return {
    published,
    graph: graph.data ?? null,
    error: graph.error ?? version.error,
    retry: () => void (graph.error ? graph.refetch() : version.refetch()),
  };
}
