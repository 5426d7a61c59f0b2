import { Alert, Anchor } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useStore } from 'zustand';
import type { RunDetail } from '../../../api/types/types.ts';
import { formatted } from '../../inbox/decide/fields/fieldLook.ts';
import { DecisionPane } from '../../inbox/decide/DecisionPane.tsx';
import type { Notice, RunView } from '../../../run/fold/model.ts';
import { noticeOf } from '../../../run/fold/notices.ts';
import { cancelledWords } from '../../../run/ended/doubts.ts';
import {
  isRejection,
  rejectedBelow,
  rejectedBy,
  rejectionReason,
} from '../../../run/ended/rejected.ts';
import type { PersonOf } from '../../../run/values/people.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { nodeLabel } from '../views/canvasViews.ts';
import classes from '../runs.module.css';
import { Compensations } from './Compensations.tsx';
import { Failure } from './Failure.tsx';
import { NodeSpend } from './NodeSpend.tsx';
import { usePersonOf } from '../usePersonOf.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';

interface RunPanelProps {
  store: RunStore;
  run: RunDetail;
  onNode: (id: string) => void;
  onKey: (key: string) => void;
}

/** The run as a whole: what it waits for, how it ended, what it said, where the money went. */
export function RunPanel({ store, run, onNode, onKey }: RunPanelProps) {
  const view = useStore(store, (state) => state.view);
  const scrubbing = useStore(store, (state) => state.scrub !== null);
  const personOf = usePersonOf(store);
  const open = scrubbing ? [] : run.interrupts.filter((item) => item.status === 'open');
  return (
    <div className={classes.panelScroll}>
      {open.map((item) => (
        <section key={item.request_id} className={classes.ask}>
          <button type="button" className={classes.linkButton} onClick={() => onNode(item.node)}>
            Waits at {item.node_label}
          </button>
          <DecisionPane
            key={`${item.request_id}:${item.content_hash ?? ''}`}
            item={item}
            inRun
            about={run.document.nodes.find((node) => node.id === item.node)?.human_description}
          />
        </section>
      ))}
      <Ending view={view} run={run} onNode={onNode} personOf={personOf} />
      <Compensations view={view} document={run.document} onKey={onKey} />
      {view.transition ? (
        <p className={classes.quiet}>
          It handed over:{' '}
          <Anchor component={Link} to={`/runs/${view.transition.runId}`} size="sm">
            open the run that goes on
          </Anchor>
          .
        </p>
      ) : null}
      {view.messages.length > 0 ? (
        <section>
          <h2 className={classes.smallTitle}>Messages</h2>
          {view.messages.map((message) => (
            <div key={message.seq} className={classes.message}>
              <span className={classes.quiet}>{nodeLabel(run.document, message.node)}</span>
              <ValueView value={message.content} />
            </div>
          ))}
        </section>
      ) : null}
      {Object.keys(view.ui).length > 0 ? (
        <section>
          <h2 className={classes.smallTitle}>Shown to the user</h2>
          <ValueView value={view.ui} />
        </section>
      ) : null}
      <section>
        <h2 className={classes.smallTitle}>Input</h2>
        <ValueView
          value={view.input ?? run.input}
          empty="Started without input"
          told={(name, value) =>
            formatted(value, run.document.interface?.inputs?.properties?.[name])
          }
        />
      </section>
      {run.goal ? (
        <section>
          <h2 className={classes.smallTitle}>Goal</h2>
          <ValueView value={run.goal} />
        </section>
      ) : null}
      <NodeSpend view={view} run={run} onNode={onNode} />
      <Notices store={store} view={view} personOf={personOf} />
    </div>
  );
}

function Ending({
  view,
  run,
  onNode,
  personOf,
}: {
  view: RunView;
  run: RunDetail;
  onNode: (id: string) => void;
  personOf: PersonOf;
}) {
  if (view.status === 'completed') {
    return (
      <section className={classes.result}>
        <h2 className={classes.smallTitle}>Result</h2>
        <ValueView value={view.result} />
      </section>
    );
  }
  const { error } = view;
  if (
    error &&
    (view.status === 'failed' || view.status === 'timeout' || view.status === 'ending')
  ) {
    const by = rejectedBy(view, personOf);
    if (by !== null || (isRejection(error) && rejectedBelow(error) === null))
      return (
        <Alert
          color="gray"
          icon={<IconInfoCircle size={16} />}
          title={by === null ? 'Rejected' : `Rejected ${by}`}
        >
          {rejectionReason(error.message)}
        </Alert>
      );
    return <Failure error={error} view={view} run={run} onNode={onNode} />;
  }
  if (view.status === 'cancelled') {
    return (
      <Alert
        color="gray"
        icon={<IconInfoCircle size={16} />}
        title={view.ending?.by ? `Cancelled by ${personOf(view.ending.by)}` : 'Cancelled'}
      >
        {cancelledWords(view, (id) => nodeLabel(run.document, id))}
      </Alert>
    );
  }
  return null;
}

function Notices({
  store,
  view,
  personOf,
}: {
  store: RunStore;
  view: RunView;
  personOf: PersonOf;
}) {
  const events = useStore(store, (state) => state.events);
  if (view.notices.length === 0) return null;
  const textOf = ({ seq, at, text }: Notice) => {
    const event = events[seq - 1];
    return (event && noticeOf(event, at, personOf)?.text) ?? text;
  };
  return (
    <section>
      <h2 className={classes.smallTitle}>Worth knowing</h2>
      <ul className={classes.notices}>
        {view.notices.map((notice) => (
          <li key={notice.seq} data-tone-of={notice.tone}>
            {textOf(notice)}
          </li>
        ))}
      </ul>
    </section>
  );
}
