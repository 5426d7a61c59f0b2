import { type ComponentProps, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { NodeTypeInfo } from '../../../api/types/types.ts';
import { EditorCanvas } from '../../../canvas/EditorCanvas.tsx';
import { isTerminal } from '../../../run/fold/model.ts';
import { useNow } from '../../../ui/format/useNow.ts';
import type * as views from '../../runs/views/canvasViews.ts';
import { indexInRun } from './passed/passed.ts';
import { GoOn } from './trials/AtBreakpoint.tsx';
import { freeRoom } from './sight/fit.ts';
import { useStalePlan } from './stale/stalePlan.ts';
import { useMarks } from './trials/useMarks.ts';
import type { SeenRun, TestRun } from './useTestRun.ts';
import { fetched, lazyInBackground } from '../../../ui/page/lazy/lazy.ts';

const CureButton = lazyInBackground(() =>
  import('./FailedNode.tsx').then((module) => ({ default: module.CureButton })),
);

const TriggerCards = lazyInBackground(() => import('../../triggers/canvas/TriggerCards.tsx'));

type LitCanvasProps = Omit<
  ComponentProps<typeof EditorCanvas>,
  'nodeView' | 'edgeView' | 'marks' | 'remedy'
> & {
  test: TestRun;
  /** Off while the panel is put away: then the canvas shows the draft alone. */
  lit: boolean;
};

type Reading = typeof views;
let loaded: Reading | null = null;

/** What reads a run for cards and wires, once one is `wanted`: the draft alone does without. */
function useReading(wanted: boolean): Reading | null {
  const [reading, setReading] = useState(loaded);
  useEffect(() => {
    if (!wanted || reading) return;
    void fetched(() => import('../../runs/views/canvasViews.ts')).then((late) => {
      loaded = late;
      setReading(late);
    });
  }, [wanted, reading]);
  return reading;
}

/** How the cards and wires of the draft stand in a run. */
function useRunViews({ live, run }: SeenRun, types: readonly NodeTypeInfo[], lit: boolean) {
  const view = useStore(live.store, (state) => state.head);
  const text = useStore(live.store, (state) => state.live);
  const now = useNow(lit && run !== null && !isTerminal(view.status));
  const reading = useReading(lit);
  const document = run?.document;
  const docs = useMemo(() => new Map(document?.nodes.map((node) => [node.id, node])), [document]);
  const nodeView = useCallback(
    (id: string) => {
      const doc = docs.get(id);
      if (!doc || !document || !reading) return undefined;
      const views = types.find((type) => type.type === doc.type)?.views ?? [];
      const label = (other: string) => reading.nodeLabel(document, other);
      return reading.nodeRunView(view, doc, text, now, { views, label });
    },
    [reading, view, docs, document, text, now, types],
  );
  const edgeView = useCallback(
    (edge: { id: string; source: string; target: string }) => {
      const index = document ? indexInRun(document, edge) : -1;
      return index < 0 ? undefined : reading?.edgeRunView(view, { ...edge, index });
    },
    [reading, view, document],
  );
  return useMemo(() => ({ view, nodeView, edgeView }), [view, nodeView, edgeView]);
}

/** The author's canvas, on which the cards show how the test run stands. */
export function LitCanvas({ test, lit, types, children, ...props }: LitCanvasProps) {
  const { run, behind } = test;
  const own = useRunViews(test, types, lit);
  const whole = useRunViews(behind, types, lit);
  const { view } = own;
  const nodeView = useCallback(
    (id: string) => own.nodeView(id) ?? whole.nodeView(id),
    [own, whole],
  );
  const edgeView = behind.run ? whole.edgeView : own.edgeView;
  const remedy = useCallback(
    (id: string) => {
      if (!run) return null;
      const stands = view.openInterrupts.flatMap((each) => view.interrupts[each] ?? []);
      const all = stands.filter(({ kind }) => kind === 'breakpoint');
      const held = all.find(({ node }) => node === id);
      if (held)
        return <GoOn runId={run.id} requestIds={[held.requestId]} amongOthers={all.length > 1} />;
      return view.nodes[id]?.status === 'failed' ? (
        <Suspense fallback={null}>
          <CureButton run={run} node={id} />
        </Suspense>
      ) : null;
    },
    [run, view.openInterrupts, view.interrupts, view.nodes],
  );
  const marks = useMarks(lit);
  // a run of one node holds nothing that could be taken over
  const compared = run?.only ? behind.run : run;
  useStalePlan(lit ? (compared?.id ?? null) : null, (behind.run ? whole : own).view.status);
  const shown = lit && run !== null ? { nodeView, edgeView, remedy } : {};
  return (
    <EditorCanvas types={types} {...props} {...shown} marks={marks}>
      {children}
      <Suspense fallback={null}>
        <TriggerCards room={freeRoom} />
      </Suspense>
    </EditorCanvas>
  );
}
