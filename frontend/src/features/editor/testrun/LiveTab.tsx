import { Alert, Button } from '@mantine/core';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { messageOf } from '../../../api/http/client.ts';
import { RunContext } from '../../../liverun/RunContext.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { nodeOfKey } from '../../../run/fold/events.ts';
import { isTerminal } from '../../../run/fold/model.ts';
import { cancelledWords } from '../../../run/ended/doubts.ts';
import { useNow } from '../../../ui/format/useNow.ts';
import { DecisionPane } from '../../inbox/decide/DecisionPane.tsx';
import { usePersonOf } from '../../runs/usePersonOf.ts';
import { nodeLabel } from '../../runs/views/canvasViews.ts';
import { TimelineView } from '../../runs/views/TimelineView.tsx';
import { FailedNode } from './FailedNode.tsx';
import { Ways } from './passed/Ways.tsx';
import classes from './testrun.module.css';
import { Held } from './trials/AtBreakpoint.tsx';
import type { TestRun } from './useTestRun.ts';

interface LiveTabProps {
  test: TestRun;
  /** Show a node of the canvas. */
  onNode: (id: string) => void;
}

/** The test run as it happens: its steps, what it waits for, how it ended. */
export function LiveTab({ test, onNode }: LiveTabProps) {
  const { live, run } = test;
  const head = useStore(live.store, (state) => state.head);
  const now = useNow(!isTerminal(head.status));
  const nameOf = useMemo(() => {
    const labels = new Map(run?.document.nodes.map((node) => [node.id, node.label || node.id]));
    return (id: string) => labels.get(id) ?? id;
  }, [run?.document]);
  if (live.error)
    return (
      <Alert color="red" title="The run could not be read" m="sm">
        {messageOf(live.error)}
        <Button mt="xs" size="xs" variant="default" display="block" onClick={live.retry}>
          Try again
        </Button>
      </Alert>
    );
  return (
    <div className={classes.live}>
      <div className={classes.outcome}>
        <Outcome test={test} onNode={onNode} />
      </div>
      <div className={classes.steps}>
        {head.order.length === 0 ? <p className={classes.quiet}>No step has begun yet.</p> : null}
        <TimelineView
          store={live.store}
          now={now}
          nameOf={nameOf}
          selected={null}
          onSelect={(key) => onNode(nodeOfKey(key))}
        />
      </div>
    </div>
  );
}

/** What the run asks for, or how it ended. */
function Outcome({ test: { live, run }, onNode }: LiveTabProps) {
  const view = useStore(live.store, (state) => state.head);
  const personOf = usePersonOf(live.store);
  if (!run) return <p className={classes.quiet}>Starting</p>;
  const asked = run.interrupts.filter((item) => item.status === 'open');
  const label = (id: string) => nodeLabel(run.document, id);
  const stands = view.openInterrupts.flatMap((id) => view.interrupts[id] ?? []);
  const held = stands.filter(({ kind }) => kind === 'breakpoint');
  if (held.length > 0 && !isTerminal(view.status))
    return <Held runId={run.id} held={held} label={label} onNode={onNode} />;
  if (asked.length > 0 && !isTerminal(view.status))
    return asked.map((item) => (
      <section key={item.request_id} className={classes.ask}>
        <button type="button" className={classes.link} onClick={() => onNode(item.node)}>
          Waits at {item.node_label}
        </button>
        <DecisionPane key={`${item.request_id}:${item.content_hash ?? ''}`} item={item} inRun />
      </section>
    ));
  const chose = Boolean(run.only) && JSON.stringify(view.result) === '{}';
  if (view.status === 'completed')
    return (
      <section className={classes.result}>
        <h2 className={classes.title}>
          {run.only
            ? `“${label(run.only)}” alone`
            : run.until
              ? `Stopped after “${label(run.until)}”`
              : 'Result'}
        </h2>
        {run.only ? <Ways document={run.document} view={view} node={run.only} /> : null}
        <RunContext value={run.id}>{chose ? null : <ValueView value={view.result} />}</RunContext>
      </section>
    );
  if (view.error) return <FailedNode test={{ live, run }} error={view.error} onNode={onNode} />;
  if (view.status === 'cancelled')
    return (
      <Alert
        color="gray"
        title={view.ending?.by ? `Cancelled by ${personOf(view.ending.by)}` : 'Cancelled'}
      >
        {cancelledWords(view, label)}
      </Alert>
    );
  const at = view.live.map((key) => label(nodeOfKey(key)));
  return (
    <p className={classes.quiet} role="status">
      {at.length > 0 ? `At work: ${[...new Set(at)].join(', ')}` : 'Under way'}
    </p>
  );
}
