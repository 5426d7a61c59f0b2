import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { graphsQuery, nodeTypesQuery } from '../../../api/http/queries.ts';
import type { GraphDoc, NodeTypeInfo, RunDetail } from '../../../api/types/types.ts';
import { GraphCanvas } from '../../../canvas/GraphCanvas.tsx';
import type { Names } from '../../../graph/schema/summary.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { starterOf } from '../../inbox/item/origin/starter.ts';
import { edgeRunView, nodeLabel, nodeRunView } from './canvasViews.ts';
import { lazyInBackground } from '../../../ui/page/lazy/lazy.ts';

const BeganBy = lazyInBackground(() => import('../../triggers/canvas/BeganBy.tsx'));

const noTypes: readonly NodeTypeInfo[] = [];

interface RunCanvasProps {
  store: RunStore;
  run: Pick<RunDetail, 'graph' | 'source' | 'started_by' | 'trigger'>;
  document: GraphDoc;
  selected: string | null;
  onSelect: (id: string | null) => void;
  now: number;
}

/** The graph as it was for this run, lit by the view at the scrubber or at the head. */
export function RunCanvas({ store, run, document, selected, onSelect, now }: RunCanvasProps) {
  const { data: nodeTypes } = useQuery(nodeTypesQuery);
  const view = useStore(store, (state) => state.view);
  const live = useStore(store, (state) => (state.scrub === null ? state.live : null));
  const docs = useMemo(() => new Map(document.nodes.map((node) => [node.id, node])), [document]);
  const nodeView = useCallback(
    (id: string) => {
      const doc = docs.get(id);
      const views = nodeTypes?.find((type) => type.type === doc?.type)?.views ?? [];
      return doc
        ? nodeRunView(view, doc, live ?? {}, now, {
            views,
            label: (other) => nodeLabel(document, other),
          })
        : undefined;
    },
    [view, docs, live, now, nodeTypes, document],
  );
  const { data: graphs } = useQuery(graphsQuery());
  const names = useCallback<Names>(
    (widget, id) =>
      widget === 'graph' ? graphs?.find((graph) => graph.slug === id)?.name : undefined,
    [graphs],
  );
  const edgeView = useCallback(
    (edge: { index: number; source: string; target: string }) => edgeRunView(view, edge),
    [view],
  );
  return (
    <GraphCanvas
      document={document}
      nodeTypes={nodeTypes ?? noTypes}
      mode="run"
      nodeView={nodeView}
      edgeView={edgeView}
      names={names}
      selected={selected}
      onSelect={onSelect}
      miniMap={document.nodes.length > 12}
    >
      {run.trigger ? (
        <Suspense fallback={null}>
          <BeganBy
            kind={run.source ?? ''}
            words={starterOf(run)}
            to={
              run.graph.id && run.trigger.name ? `/workflows/${run.graph.id}/triggers` : undefined
            }
          />
        </Suspense>
      ) : null}
    </GraphCanvas>
  );
}
