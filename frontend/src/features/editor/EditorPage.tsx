import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { api } from '../../api/http/client.ts';
import { useNodeTypes } from '../../api/http/queries.ts';
import type { GraphDetail, NodeTypeInfo } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { recoverUnsaved, saveNow, startAutosave } from '../../store/saving.ts';
import { keepUndo, restoreUndo } from '../../store/undo/undoKept.ts';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { PageSkeleton } from '../../ui/page/Skeletons.tsx';
import { Workbench } from './Workbench.tsx';

/** Whether a node of the draft has this id. */
const isDrawn = (id: string) => useEditor.getState().nodes.some((node) => node.id === id);

/** Fill the store before the canvas is drawn, keep it saved while it is open. */
function Loaded({ graph, nodeTypes }: { graph: GraphDetail; nodeTypes: readonly NodeTypeInfo[] }) {
  const ready = useEditor((state) => state.graphId === graph.id);
  const [params, setParams] = useSearchParams();
  const [meant] = useState(params.get('node'));
  useEffect(() => {
    useEditor.getState().load(graph, new Map(nodeTypes.map((type) => [type.type, type])));
    restoreUndo(graph.id);
    const stops = [startAutosave(), keepUndo(graph.id)];
    recoverUnsaved();
    if (meant !== null && isDrawn(meant)) useEditor.getState().select([meant]);
    if (useEditor.getState().records !== useEditor.getState().base) void saveNow();
    document.title = `${graph.name} · Graphwright`;
    return () => {
      for (const stop of stops) stop();
      useEditor.setState({ graphId: '' });
      document.title = 'Graphwright';
    };
  }, [graph, nodeTypes, meant]);
  useEffect(() => {
    if (!ready || meant === null || isDrawn(meant)) return;
    notifications.show({
      id: `gone ${meant}`,
      message: 'That step is no longer in this workflow.',
    });
    setParams(
      (now) => {
        now.delete('node');
        return now;
      },
      { replace: true },
    );
  }, [ready, meant]); // eslint-disable-line react-hooks/exhaustive-deps -- once for each link
  return ready ? (
    <ReactFlowProvider key={graph.id}>
      <Workbench graph={graph} nodeTypes={nodeTypes} />
    </ReactFlowProvider>
  ) : (
    <PageSkeleton />
  );
}

/** `/workflows/:graphId`: the visual editor of a graph's draft; `?node=` opens one of its nodes, `?field=` a setting. */
export default function EditorPage() {
  const { graphId = '' } = useParams();
  const graph = useQuery({
    queryKey: ['editor', graphId],
    queryFn: () => api.get<GraphDetail>(`graphs/${graphId}/`),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const types = useNodeTypes();
  const error = graph.error ?? types.error;
  if (error) {
    return (
      <ErrorState
        error={error}
        onRetry={() => void (graph.error ? graph.refetch() : types.refetch())}
        action={
          <Button component={Link} to="/workflows" variant="default">
            Back to workflows
          </Button>
        }
      />
    );
  }
  if (!graph.data || !types.data) return <PageSkeleton />;
  return <Loaded key={graphId} graph={graph.data} nodeTypes={types.data} />;
}
