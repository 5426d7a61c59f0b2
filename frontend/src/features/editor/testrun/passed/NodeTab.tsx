import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { api } from '../../../../api/http/client.ts';
import type { RunDetail, RunState } from '../../../../api/types/types.ts';
import type { Subject } from '../../../../inspector/subject.ts';
import { RunContext } from '../../../../liverun/RunContext.ts';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { conversationsOf } from '../../../../run/reading/conversation.ts';
import type { ActivationView, RunView } from '../../../../run/fold/model.ts';
import { useEditor } from '../../../../store/editor.ts';
import { formatDuration } from '../../../../ui/format/format.ts';
import { StatusBadge } from '../../../../ui/StatusBadge.tsx';
import { StepList } from '../../../runs/panel/StepList.tsx';
import { ConversationView } from '../../../runs/views/ConversationView.tsx';
import { nodeLabel, shownActivation } from '../../../runs/views/canvasViews.ts';
import { FailedNode } from '../FailedNode.tsx';
import { passedAlong, readBy, type Value } from './passed.ts';
import { Ways } from './Ways.tsx';
import classes from '../testrun.module.css';
import { RunAlone } from '../trials/RunAlone.tsx';
import type { TestRun } from '../useTestRun.ts';

interface NodeTabProps {
  test: TestRun;
  subject: Subject;
  onNode: (id: string) => void;
}

/** What went into the selected card and came out of it, or passed along the selected wire. */
export function NodeTab({ test, subject, onNode }: NodeTabProps) {
  const own = useStore(test.live.store, (state) => state.head);
  const whole = useStore(test.behind.live.store, (state) => state.head);
  // of a run of one node only that one is shown by it
  const isBehind =
    test.behind.run !== null && !(subject?.kind === 'node' && own.nodes[subject.id] !== undefined);
  const view = isBehind ? whole : own;
  const { run } = isBehind ? test.behind : test;
  if (!run)
    return (
      <>
        {subject?.kind === 'node' ? <RunAlone key={subject.id} node={subject.id} /> : null}
        <p className={classes.quiet}>There is no test run yet.</p>
      </>
    );
  return (
    <RunContext value={run.id}>
      {subject?.kind === 'node' ? (
        <Passed
          key={subject.id}
          id={subject.id}
          test={test}
          run={run}
          view={view}
          onNode={onNode}
        />
      ) : subject?.kind === 'edge' ? (
        <Along key={subject.id} id={subject.id} run={run} view={view} />
      ) : (
        <p className={classes.quiet}>Click a card or a wire to see what passed.</p>
      )}
    </RunContext>
  );
}

interface PassedProps {
  id: string;
  test: TestRun;
  run: RunDetail;
  view: RunView;
  onNode: (id: string) => void;
}

function Passed({ id, test, run, view, onNode }: PassedProps) {
  const activation = shownActivation(view, id);
  if (!activation)
    return (
      <>
        <RunAlone node={id} />
        <p className={classes.quiet}>The run has not come to this card.</p>
      </>
    );
  const { startedAt, endedAt, error } = activation;
  return (
    <>
      <RunAlone node={id} />
      <div className={classes.facts}>
        <b>{nodeLabel(run.document, id)}</b>
        <StatusBadge status={activation.status} />
        {activation.pinned ? <span className={classes.quiet}>pinned, not run</span> : null}
        {startedAt !== null && endedAt !== null ? (
          <span className="gw-num">{formatDuration(endedAt - startedAt)}</span>
        ) : null}
      </div>
      <div className={classes.columns}>
        <In run={run} view={view} activation={activation} />
        <Column title="Out">
          {error ? (
            <FailedNode test={{ ...test, run }} error={{ ...error, node: id }} onNode={onNode} />
          ) : null}
          <Ways document={run.document} view={view} node={id} />
          <Out activation={activation} />
        </Column>
        <Said activation={activation} />
      </div>
    </>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.column}>
      <h2 className={classes.title}>{title}</h2>
      {children}
    </section>
  );
}

function Values({ values, empty }: { values: readonly Value[]; empty: string }) {
  if (values.length === 0) return <p className={classes.quiet}>{empty}</p>;
  return (
    <dl className={classes.values}>
      {values.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <ValueView value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the node could read when it began. */
function In({
  run,
  view,
  activation,
}: {
  run: RunDetail;
  view: RunView;
  activation: ActivationView;
}) {
  const seq = activation.firstSeq - 1;
  const state = useQuery({
    queryKey: ['run-state', run.id, seq],
    queryFn: () => api.get<RunState>(`runs/${run.id}/state/`, { seq }),
    enabled: seq > 0,
    staleTime: Infinity,
  });
  const item = activation.item ?? undefined;
  const values = [
    ...(item === undefined ? [] : [{ name: 'Item', value: item }]),
    ...readBy(run.document, view, activation, state.data),
  ];
  return (
    <Column title="In">
      <Values values={values} empty="It reads nothing." />
    </Column>
  );
}

function Out({ activation }: { activation: ActivationView }) {
  const { output, writes, condition } = activation;
  const said = JSON.stringify(output) === JSON.stringify(writes);
  const under = Object.entries(said ? {} : (writes ?? {})).map(([name, value]) => ({
    name,
    value,
  }));
  if (activation.error && output === undefined) return null;
  if (isEmpty(output) && under.length === 0 && !condition) return null;
  return (
    <>
      <ValueView
        value={output}
        empty={activation.endedAt === null ? 'Not there yet' : 'No answer of its own'}
      />
      {condition ? (
        <p className={classes.quiet}>
          It says <b>{condition}</b>
        </p>
      ) : null}
      {under.length > 0 ? <Values values={under} empty="" /> : null}
    </>
  );
}

/** What a node gives that only chooses how the run goes on. */
const isEmpty = (output: unknown) =>
  typeof output === 'object' && output !== null && Object.keys(output).length === 0;

/** What was said to models and done with tools. */
function Said({ activation }: { activation: ActivationView }) {
  const conversations = conversationsOf(activation);
  const last = conversations.at(-1);
  if (!last && activation.steps.length === 0) return null;
  return (
    <Column title={last ? 'What was said' : 'Calls'}>
      {last ? (
        <ConversationView conversation={last} live={undefined} />
      ) : (
        <StepList steps={activation.steps} />
      )}
    </Column>
  );
}

function Along({ id, run, view }: { id: string; run: RunDetail; view: RunView }) {
  const edge = useEditor((state) => state.records.edges.get(id));
  const found = edge ? passedAlong(run.document, view, edge) : null;
  if (!edge || !found)
    return <p className={classes.quiet}>This wire was not there when the run began.</p>;
  const label = (node: string) =>
    node === '__start__' ? 'Start' : node === '__end__' ? 'End' : nodeLabel(run.document, node);
  return (
    <>
      <div className={classes.facts}>
        <b>
          {label(edge.source)} to {label(edge.target)}
        </b>
        <span className={classes.quiet}>
          {found.times === 0
            ? 'not taken'
            : found.times === 1
              ? 'taken once'
              : `taken ${found.times} times`}
        </span>
      </div>
      {found.times > 0 ? (
        <div className={classes.columns}>
          <Column title="What passed">
            <ValueView value={found.value} />
          </Column>
        </div>
      ) : null}
    </>
  );
}
