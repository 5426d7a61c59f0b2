import {
  IconAlertTriangle,
  IconDatabaseSearch,
  IconRobot,
  IconTool,
  IconUser,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Conversation, Turn } from '../../../run/reading/conversation.ts';
import { type Json, blobOf, brief } from '../../../run/values/json.ts';
import type { StepView } from '../../../run/fold/model.ts';
import { foundBy, storedBy } from '../../../run/reading/special.ts';
import { formatDuration, formatTokens, formatUsd } from '../../../ui/format/format.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import classes from '../runs.module.css';
import { FactList } from '../special/Facts.tsx';
import { ValueView } from '../../../liverun/ValueView.tsx';

interface ConversationViewProps {
  conversation: Conversation;
  live: string | undefined;
}

/** What was said between the engine, the model and its tools: the prompt as it was sent, every turn, every result. */
export function ConversationView({ conversation, live }: ConversationViewProps) {
  const thinking = conversation.turns.some((turn) => turn.kind === 'thinking');
  return (
    <div className={classes.conversation}>
      {conversation.tools.length > 0 ? (
        <p className={classes.quiet}>
          Tools offered: {conversation.tools.map((tool) => tool.name).join(', ')}
        </p>
      ) : null}
      <ol aria-label="Conversation">
        {conversation.turns.map((turn) => (
          <li key={turn.id}>
            <TurnView turn={turn} live={live} />
          </li>
        ))}
        {live && !thinking ? (
          <li>
            <Bubble who="Model" tone="answer" icon={<StatusIcon status="running" />}>
              <ValueView value={live} />
            </Bubble>
          </li>
        ) : null}
      </ol>
    </div>
  );
}

function Bubble({
  who,
  icon,
  tone,
  aside,
  children,
}: {
  who: string;
  icon: ReactNode;
  tone: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.turn} data-tone-of={tone}>
      <div className={classes.turnHead}>
        <span className={classes.turnIcon}>{icon}</span>
        <b>{who}</b>
        {aside ? <span className={classes.turnAside}>{aside}</span> : null}
      </div>
      <div className={classes.turnBody}>{children}</div>
    </div>
  );
}

function cost(step: StepView): string {
  const about = step.estimated ? 'at most ' : '';
  return [
    step.endedAt === null ? '' : formatDuration(step.endedAt - step.startedAt),
    step.tokens ? `${about}${formatTokens(step.tokens)} tokens` : '',
    step.costUsd && Number(step.costUsd) > 0 ? `${about}${formatUsd(step.costUsd)}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function failureTitle(step: StepView): string {
  if (step.estimated) return 'Stopped; counted as far as it had come';
  return step.presumed ? 'No answer; counted as spent' : 'Call failed';
}

function Folded({ title, text }: { title: string; text: Json }) {
  return (
    <details className={classes.folded}>
      <summary>
        {title}
        <span className={classes.turnAside}>
          {blobOf(text) === null ? brief(text, 70) : 'large'}
        </span>
      </summary>
      <ValueView value={text} />
    </details>
  );
}

function TurnView({ turn, live }: { turn: Turn; live: string | undefined }) {
  switch (turn.kind) {
    case 'system':
      return <Folded title="System prompt" text={turn.text} />;
    case 'history':
      return <Folded title="Earlier message" text={turn.text} />;
    case 'prompt':
      return (
        <Bubble who="Prompt" tone="prompt" icon={<IconUser size={14} aria-hidden />}>
          <ValueView value={turn.text} />
        </Bubble>
      );
    case 'answer':
      return (
        <Bubble
          who={turn.model || 'Model'}
          tone="answer"
          icon={<IconRobot size={14} aria-hidden />}
          aside={cost(turn.step)}
        >
          {turn.structured === undefined ? (
            turn.text ? (
              <ValueView value={turn.text} />
            ) : null
          ) : (
            <ValueView value={turn.structured} />
          )}
          {turn.toolCalls.map((call) => (
            <p key={call.id} className={classes.calls}>
              <IconTool size={13} aria-hidden /> calls <span className="gw-mono">{call.name}</span>{' '}
              <span className={classes.turnAside}>{brief(call.arguments, 90)}</span>
            </p>
          ))}
          {turn.finishReason === 'length' ? (
            <p className={classes.quiet}>The answer was cut at its output limit.</p>
          ) : null}
        </Bubble>
      );
    case 'facts':
      return <FactsTurn step={turn.step} />;
    case 'tool':
      return <ToolTurn step={turn.step} name={turn.name} />;
    case 'failure':
      return (
        <Bubble
          who={failureTitle(turn.step)}
          tone="failure"
          icon={<IconAlertTriangle size={14} aria-hidden />}
          aside={cost(turn.step)}
        >
          <p>{turn.error.message}</p>
        </Bubble>
      );
    case 'thinking':
      return (
        <Bubble who={turn.model || 'Model'} tone="answer" icon={<StatusIcon status="running" />}>
          {live ? <ValueView value={live} /> : <span className={classes.quiet}>No text yet</span>}
        </Bubble>
      );
    default:
      return turn satisfies never;
  }
}

/** What memory gave before the question was put, or what was put into it after the answer. */
function FactsTurn({ step }: { step: StepView }) {
  const stored = storedBy(step);
  const found = foundBy(step);
  const facts = stored ?? found.facts;
  return (
    <Bubble
      who={stored ? 'Stored in memory' : 'Relevant memory'}
      tone="tool"
      aside={
        found.failed || !found.done
          ? ''
          : `${facts.length} ${facts.length === 1 ? 'fact' : 'facts'}`
      }
      icon={
        found.done || found.failed ? (
          <IconDatabaseSearch size={14} aria-hidden />
        ) : (
          <StatusIcon status="running" />
        )
      }
    >
      {!stored && found.query ? <p className={classes.quiet}>Looked up: {found.query}</p> : null}
      {found.failed ? (
        <p role="alert">
          It could not be looked up: {found.failed}. The agent was asked without it.
        </p>
      ) : (
        <FactList facts={facts} />
      )}
    </Bubble>
  );
}

function ToolTurn({ step, name }: { step: StepView; name: string }) {
  return (
    <Bubble
      who={name}
      tone="tool"
      icon={
        step.status === 'running' ? (
          <StatusIcon status="running" />
        ) : (
          <IconTool size={14} aria-hidden />
        )
      }
      aside={cost(step)}
    >
      <div className={classes.toolPart}>
        <span>arguments</span>
        <ValueView value={step.arguments ?? step.request} />
      </div>
      {step.status === 'completed' ? (
        <div className={classes.toolPart}>
          <span>result</span>
          <ValueView value={step.result} />
        </div>
      ) : null}
      {step.error ? (
        <div className={classes.toolPart} data-failed>
          <span>error</span>
          <p>{step.error.message}</p>
        </div>
      ) : null}
    </Bubble>
  );
}
