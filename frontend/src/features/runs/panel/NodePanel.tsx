import { ActionIcon, Alert, Select, Tabs } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCornerLeftUp,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { GraphDoc, Interrupt, NodeDoc, ViewInfo } from '../../../api/types/types.ts';
import { DecisionPane } from '../../inbox/decide/DecisionPane.tsx';
import { failureTitle } from '../../../run/ended/failureWords.ts';
import {
  belowText,
  isRejection,
  reasonOf,
  rejectedBelow,
  standingOf,
} from '../../../run/ended/rejected.ts';
import { conversationsOf } from '../../../run/reading/conversation.ts';
import { nodeOfKey } from '../../../run/fold/events.ts';
import type { ActivationView, RunView } from '../../../run/fold/model.ts';
import { viewsOf } from '../../../run/reading/special.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { nextTry } from '../views/nextTry.ts';
import { labelOf } from '../../../run/reading/timeline.ts';
import { capital, formatDuration } from '../../../ui/format/format.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { nodeLabel, shownActivation } from '../views/canvasViews.ts';
import { ConversationView } from '../views/ConversationView.tsx';
import { CircuitNote } from './CircuitNote.tsx';
import { DoubtNote } from './DoubtNote.tsx';
import { ForkFrom } from '../control/ForkFrom.tsx';
import { exchangeOf, HttpExchange } from '../../../liverun/HttpExchange.tsx';
import classes from '../runs.module.css';
import { SpecialView } from '../special/SpecialView.tsx';
import { SpendMeter } from '../../../liverun/SpendMeter.tsx';
import { StepList } from './StepList.tsx';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { ErrorText } from '../../../ui/format/ErrorText.tsx';

interface NodePanelProps {
  store: RunStore;
  node: NodeDoc;
  document: GraphDoc;
  /** What the server says is special to this type. */
  views: readonly ViewInfo[];
  activationKey: string | null;
  interrupts: readonly Interrupt[];
  now: number;
  onPick: (key: string) => void;
  onClose: () => void;
}

/** One node of the run: what it is for, each of its activations, what was said, done, paid and written. */
export function NodePanel(props: NodePanelProps) {
  const { store, node, document, activationKey, now, onPick, onClose } = props;
  const view = useStore(store, (state) => state.view);
  const activation =
    (activationKey === null ? undefined : view.activations[activationKey]) ??
    shownActivation(view, node.id);
  const keys = [
    ...(view.nodes[node.id]?.keys ?? []),
    ...view.undos.filter((undo) => undo.node === node.id).map((undo) => undo.key),
  ];
  return (
    <div className={classes.panelScroll}>
      <header className={classes.panelHead}>
        <div className={classes.panelTitle}>
          <h2>{node.label || node.id}</h2>
          <span className={classes.quiet}>
            {node.type} · <span className="gw-mono">{node.id}</span>
          </span>
        </div>
        <ActionIcon aria-label="Close the node" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      {node.human_description ? <p className={classes.human}>{node.human_description}</p> : null}
      {keys.length > 1 ? (
        <Select
          size="xs"
          aria-label="Activation"
          searchable
          data={keys.map((key) => ({
            value: key,
            label: labelOf(key, (id) => nodeLabel(document, id)),
          }))}
          value={activation?.key ?? null}
          onChange={(key) => (key === null ? undefined : onPick(key))}
          mb="sm"
        />
      ) : null}
      {activation?.parent ? (
        <Parent
          activation={activation}
          parent={activation.parent}
          document={document}
          onPick={onPick}
        />
      ) : null}
      {view.circuits[node.id] ? <CircuitNote circuit={view.circuits[node.id]} now={now} /> : null}
      {activation ? (
        <Activation key={activation.key} {...props} view={view} activation={activation} />
      ) : (
        <p className={classes.quiet}>It has not been reached at this moment of the run.</p>
      )}
    </div>
  );
}

/** The way back to the node that this activation works for. */
function Parent({
  activation,
  parent,
  document,
  onPick,
}: {
  activation: ActivationView;
  parent: string;
  document: GraphDoc;
  onPick: (key: string) => void;
}) {
  const item = /\[(\d+)\]#\d+$/.exec(activation.key)?.[1];
  return (
    <button type="button" className={classes.parentLink} onClick={() => onPick(parent)}>
      <IconCornerLeftUp size={14} aria-hidden /> Part of {nodeLabel(document, nodeOfKey(parent))}
      {item === undefined ? '' : `, item ${Number(item) + 1}`}
    </button>
  );
}

type ActivationProps = NodePanelProps & { view: RunView; activation: ActivationView };

function Activation({
  activation,
  view,
  document,
  views,
  node,
  store,
  interrupts,
  now,
  onPick,
}: ActivationProps) {
  const live = useStore(store, (state) =>
    state.scrub === null ? state.live[activation.key] : undefined,
  );
  const scrubbing = useStore(store, (state) => state.scrub !== null);
  const conversations = useMemo(() => conversationsOf(activation), [activation]);
  const open = scrubbing
    ? []
    : interrupts.filter((item) => item.key === activation.key && item.status === 'open');
  const special = viewsOf(view, activation, views);
  const first =
    open.length > 0 ? 'ask' : (special[0]?.kind ?? (conversations.length > 0 ? 'talk' : 'data'));
  const [tab, setTab] = useState<string | null>(null);
  const undo = view.undos.find((each) => each.of === activation.key);
  const exchange = exchangeOf(activation.error?.detail);
  return (
    <>
      <Facts activation={activation} node={node} now={now} />
      {undo ? (
        <button type="button" className={classes.parentLink} onClick={() => onPick(undo.key)}>
          <IconArrowBackUp size={14} aria-hidden /> {undoWords(undo.status)} with {undo.tool}
        </button>
      ) : null}
      <DoubtNote
        store={store}
        interrupts={activation.interrupts.flatMap((id) => view.interrupts[id] ?? [])}
      />
      {activation.error && isRejection(activation.error) ? (
        <Alert
          color="gray"
          icon={<IconInfoCircle size={16} />}
          title={rejectedBelow(activation.error) === null ? 'Rejected' : capital(belowText(null))}
          mb="sm"
        >
          {reasonOf(activation.error)}
        </Alert>
      ) : activation.error ? (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={16} />}
          title={<span title={activation.error.code}>{failureTitle(activation.error.code)}</span>}
          mb="sm"
        >
          <ErrorText text={activation.error.message} />
          {exchange ? <HttpExchange {...exchange} /> : null}
        </Alert>
      ) : null}
      <Tabs value={tab ?? first} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          {open.length > 0 ? <Tabs.Tab value="ask">Decide</Tabs.Tab> : null}
          {special.map((info) => (
            <Tabs.Tab key={info.kind} value={info.kind}>
              {info.title}
            </Tabs.Tab>
          ))}
          {conversations.length > 0 ? <Tabs.Tab value="talk">Conversation</Tabs.Tab> : null}
          <Tabs.Tab value="data">Data</Tabs.Tab>
          <Tabs.Tab value="steps">
            Calls{activation.steps.length > 0 ? ` (${activation.steps.length})` : ''}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ask" pt="sm">
          {open.map((item) => (
            <DecisionPane key={item.request_id} item={item} inRun />
          ))}
        </Tabs.Panel>
        {special.map((info) => (
          <Tabs.Panel key={info.kind} value={info.kind} pt="sm">
            <SpecialView
              info={info}
              view={view}
              activation={activation}
              document={document}
              now={now}
              onKey={onPick}
            />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="talk" pt="sm">
          {conversations.map((conversation) => (
            <section key={conversation.attempt}>
              {conversations.length > 1 ? (
                <h2 className={classes.smallTitle}>Attempt {conversation.attempt}</h2>
              ) : null}
              <ConversationView conversation={conversation} live={live} />
            </section>
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="data" pt="sm">
          <ActivationData activation={activation} />
        </Tabs.Panel>
        <Tabs.Panel value="steps" pt="sm">
          <StepList steps={activation.steps} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const undoWords = (status: 'running' | 'completed' | 'failed') =>
  ({ running: 'Being undone', completed: 'Undone', failed: 'Undo failed:' })[status];

function Facts({
  activation,
  node,
  now,
}: {
  activation: ActivationView;
  node: NodeDoc;
  now: number;
}) {
  const { startedAt, endedAt, attempt, maxAttempts } = activation;
  const again = nextTry(activation, now);
  return (
    <div className={classes.factRow}>
      <StatusBadge status={standingOf(activation)} />
      {attempt > 0 ? (
        <span>
          attempt {attempt} of {maxAttempts}
        </span>
      ) : null}
      {again ? <span className="gw-num">{again}</span> : null}
      {startedAt === null ? null : (
        <span className="gw-num">{formatDuration((endedAt ?? now) - startedAt)}</span>
      )}
      {activation.spend.tokens > 0 ||
      activation.spend.heldTokens > 0 ||
      node.budget?.max_cost_usd ? (
        <SpendMeter
          spend={activation.spend}
          limitUsd={node.budget?.max_cost_usd ?? null}
          limitTokens={node.budget?.max_tokens ?? null}
          compact
        />
      ) : null}
      <ForkFrom at={activation.key} />
      {activation.attemptErrors.map((failed) => (
        <p key={failed.attempt} className={classes.attemptError}>
          Attempt {failed.attempt} of {maxAttempts} failed: {failed.error.message}
        </p>
      ))}
    </div>
  );
}

function ActivationData({ activation }: { activation: ActivationView }) {
  const { item, output, writes, condition, intent, infra } = activation;
  return (
    <dl className={classes.data}>
      {item === undefined || item === null ? null : (
        <div>
          <dt>Item</dt>
          <dd>
            <ValueView value={item} />
          </dd>
        </div>
      )}
      <div>
        <dt>Output</dt>
        <dd>
          <ValueView
            value={output}
            empty={activation.endedAt === null ? 'Not there yet' : 'None'}
          />
        </dd>
      </div>
      {writes && Object.keys(writes).length > 0 ? (
        <div>
          <dt>Writes to memory</dt>
          <dd>
            <ValueView value={writes} />
          </dd>
        </div>
      ) : null}
      {condition ? (
        <div>
          <dt>Condition</dt>
          <dd className="gw-mono">{condition}</dd>
        </div>
      ) : null}
      {intent ? (
        <div>
          <dt>Intent</dt>
          <dd className="gw-mono">{intent}</dd>
        </div>
      ) : null}
      {infra === undefined || infra === null ? null : (
        <div>
          <dt>Recorded</dt>
          <dd>
            <ValueView value={infra} />
          </dd>
        </div>
      )}
    </dl>
  );
}
