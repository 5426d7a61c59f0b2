import { Anchor, Button, Group } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconBan,
  IconMessageReply,
  IconPlugConnectedX,
  IconRefresh,
  IconShieldCheck,
  IconUserX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { interruptQuery } from '../../api/http/lists.ts';
import type { Interrupt, Json, JsonObject } from '../../api/types/types.ts';
import { DecisionPane } from '../inbox/decide/DecisionPane.tsx';
import { closedText, titleOf } from '../inbox/names.ts';
import { RunContext } from '../../liverun/RunContext.ts';
import { ValueView } from '../../liverun/ValueView.tsx';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { StatusIcon } from '../../ui/StatusBadge.tsx';
import classes from './chat.module.css';
import { plainText, valueIn } from './plain.ts';
import { type Item, isOver, isRejected, readableLive, reasonIn, type Turn } from './turn.ts';

interface TurnViewProps {
  turn: Turn;
  /** What a node is called, by its id. */
  labels: ReadonlyMap<string, string>;
  onAnswered: () => void;
  onAgain?: (() => void) | undefined;
  /** The page around shows the result. */
  shown?: boolean;
}

/** What a run says: its messages, its questions, what it is doing, and how it ended. */
export function TurnView({ turn, labels, onAnswered, onAgain, shown = false }: TurnViewProps) {
  return (
    <RunContext value={turn.runId}>
      {turn.items.map((item) => (
        <ItemView key={item.id} item={item} labels={labels} onAnswered={onAnswered} />
      ))}
      {Object.keys(turn.structured).length > 0 ? <Structured data={turn.structured} /> : null}
      {isOver(turn) ? (
        <Ending turn={turn} labels={labels} onAgain={onAgain} shown={shown} />
      ) : (
        <Working turn={turn} labels={labels} />
      )}
    </RunContext>
  );
}

function ItemView({
  item,
  labels,
  onAnswered,
}: {
  item: Item;
  labels: ReadonlyMap<string, string>;
  onAnswered: () => void;
}) {
  if (item.kind === 'message')
    return (
      <Bubble by={labels.get(item.node)}>
        <Said content={item.content} />
      </Bubble>
    );
  if (item.kind === 'asked') return <Asked requestId={item.requestId} onAnswered={onAnswered} />;
  return (
    <p className={classes.note}>
      <IconArrowForwardUp size={14} aria-hidden />
      Handed over to <b>{item.graph}</b>
    </p>
  );
}

/** A message as it stands; one that is JSON, as a result without words is, as an outline. */
function Said({ content }: { content: string }) {
  const value = valueIn(content);
  return value === undefined ? <>{plainText(content)}</> : <ValueView value={value} />;
}

/** Text that the run says. */
function Bubble({
  by,
  children,
  live = false,
}: {
  by?: string | undefined;
  children: ReactNode;
  live?: boolean;
}) {
  return (
    <div className={classes.bubble} data-live={live || undefined}>
      {by ? <span className={classes.by}>{by}</span> : null}
      <div className={classes.text}>{children}</div>
    </div>
  );
}

function Asked({ requestId, onAnswered }: { requestId: string; onAnswered: () => void }) {
  const { data: item, error, refetch } = useQuery(interruptQuery(requestId));
  if (!item) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null;
  if (item.status !== 'open') return <Answered item={item} />;
  return (
    <section className={classes.asked}>
      <DecisionPane
        key={`${requestId}:${item.content_hash ?? ''}`}
        item={item}
        inRun
        onDone={onAnswered}
        onReload={() => void refetch()}
      />
    </section>
  );
}

/** A question that is over: what was asked, and what came back, as the conversation that it was. */
function Answered({ item }: { item: Interrupt }) {
  const { decided, kind } = item;
  const isQuestion =
    kind !== 'approval' && kind !== 'budget' && kind !== 'in_doubt' && item.status === 'answered';
  const Glyph = isQuestion ? IconMessageReply : IconShieldCheck;
  return (
    <>
      <Bubble by={item.node_label}>{plainText(titleOf(item))}</Bubble>
      {isQuestion && decided ? (
        <div className={classes.mine}>
          <AnswerText item={item} answer={decided.given ?? decided.answer} />
        </div>
      ) : null}
      <p className={classes.note} data-mine={isQuestion || undefined}>
        <Glyph size={14} aria-hidden />
        {closedText(item)}
        {decided?.comment ? `: ${plainText(decided.comment)}` : ''}
      </p>
    </>
  );
}

/** An answer in the words that it was chosen by. */
function AnswerText({ item, answer }: { item: Interrupt; answer: Json }) {
  const ids = Array.isArray(answer) ? answer : [answer];
  const labels = ids.map((id) => item.request.options?.find((option) => option.id === id)?.label);
  if (labels.length > 0 && labels.every((label) => label !== undefined))
    return <div className={classes.text}>{labels.join(', ')}</div>;
  return <ValueView value={typeof answer === 'string' ? plainText(answer) : answer} />;
}

function Structured({ data }: { data: JsonObject }) {
  return (
    <div className={classes.structured}>
      <ValueView value={data} />
    </div>
  );
}

function Working({ turn, labels }: { turn: Turn; labels: ReadonlyMap<string, string> }) {
  const { live, status, away } = turn;
  const node = live ? (labels.get(live.node) ?? live.node) : undefined;
  const text = plainText(readableLive(live));
  const doing = status === 'sending' ? 'Sending' : node ? `${node} is at work` : 'Working';
  return (
    <>
      {text ? (
        <Bubble by={node} live>
          {text}
        </Bubble>
      ) : null}
      <p className={classes.note} role="status">
        {away ? (
          <>
            <IconPlugConnectedX size={14} aria-hidden />
            The connection is away. The run goes on, and so will this page.
          </>
        ) : null}
        {!away && status === 'waiting' ? (
          <>
            <StatusIcon status="waiting" />
            Waiting for an answer
          </>
        ) : null}
        {!away && status !== 'waiting' ? (
          <>
            <StatusIcon status="running" />
            {doing}…
          </>
        ) : null}
      </p>
    </>
  );
}

const ADVICE: Record<string, string> = {
  NotPublished: 'Publish the workflow in the editor first.',
  NotAllowed:
    'Your role may read this workflow, but not run it. An admin of the workspace can change that.',
  GraphNotFound: 'The workflow was deleted, or it belongs to another workspace.',
  NodeBudgetExceeded:
    'Its budget is used up. Raise the limit in the settings of the workflow, then try again.',
  PriceUnknown: 'The price of its model is not known. Choose in the settings what to do then.',
};

function Ending({
  turn,
  labels,
  onAgain,
  shown,
}: {
  turn: Turn;
  labels: ReadonlyMap<string, string>;
  onAgain: (() => void) | undefined;
  shown: boolean;
}) {
  const { status, error, runId } = turn;
  if (status === 'cancelled')
    return (
      <p className={classes.note}>
        <IconBan size={14} aria-hidden />
        Stopped
        <RunLink runId={runId} />
      </p>
    );
  if (status === 'completed') {
    const silent =
      !shown &&
      !turn.items.some((item) => item.kind === 'message') &&
      Object.keys(turn.structured).length === 0;
    return (
      <p className={classes.note}>
        {silent ? 'Finished without a word.' : null}
        <RunLink runId={runId} />
      </p>
    );
  }
  const at = error?.node ? (labels.get(error.node) ?? error.node) : null;
  if (isRejected(turn)) return <Rejected turn={turn} at={at} />;
  const title =
    status === 'refused'
      ? 'This was not started'
      : status === 'timeout'
        ? 'It took too long'
        : at
          ? `“${at}” failed`
          : 'The run failed';
  return (
    <section className={classes.failed} role="alert">
      <h3>
        <IconAlertTriangle size={16} aria-hidden />
        {title}
      </h3>
      <p className={classes.text}>{plainText(error?.message ?? 'No reason was recorded.')}</p>
      {error && ADVICE[error.code] ? <p className={classes.text}>{ADVICE[error.code]}</p> : null}
      <Group gap="sm" mt={4}>
        {onAgain ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={onAgain}
          >
            Try again
          </Button>
        ) : null}
        <RunLink runId={runId} />
      </Group>
    </section>
  );
}

/** A person said no: nothing failed, and to try again would ask them the same. */
function Rejected({ turn: { error, runId }, at }: { turn: Turn; at: string | null }) {
  const reason = reasonIn(error?.message ?? '');
  return (
    <section className={classes.failed} data-rejected role="status">
      <h3>
        <IconUserX size={16} aria-hidden />
        {at ? `Rejected at “${at}”` : 'Rejected'}
      </h3>
      {reason ? <p className={classes.text}>{reason}</p> : null}
      <RunLink runId={runId} />
    </section>
  );
}

function RunLink({ runId }: { runId: string | null }) {
  if (runId === null) return null;
  return (
    <Anchor component={Link} to={`/runs/${runId}`} className={classes.runLink}>
      See the run
    </Anchor>
  );
}
