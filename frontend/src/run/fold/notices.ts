/** Sentences for the events that concern the run as a whole or that a person should not miss. */

import { isRejection } from '../ended/rejected.ts';
import type { RunEvent } from './events.ts';
import { brief } from '../values/json.ts';
import type { Notice } from './model.ts';
import type { PersonOf } from '../values/people.ts';

type Line = Pick<Notice, 'tone' | 'text'>;

const LEVEL_WORD: Record<string, string> = {
  run: 'this run',
  node: 'a node',
  graph: 'the workflow',
  workspace: 'the workspace',
};

/** Return what to tell about an event, null for the many that need no words. */
export function noticeOf(
  event: RunEvent,
  at: number,
  personOf: PersonOf = (id) => id,
): Notice | null {
  const line = lineOf(event, personOf);
  if (line === null) return null;
  return { seq: event.seq, at, node: 'node' in event ? (event.node ?? null) : null, ...line };
}

function lineOf(event: RunEvent, personOf: PersonOf): Line | null {
  switch (event.type) {
    case 'BudgetThresholdReached':
      return {
        tone: event.threshold >= 90 ? 'warning' : 'info',
        text: `${event.threshold} % of the budget of ${LEVEL_WORD[event.level] ?? event.level} is used`,
      };
    case 'BudgetRaised':
      return {
        tone: 'info',
        text: `Budget raised by ${raise(event.add_usd, event.add_tokens)}${by(event.by, personOf)}`,
      };
    case 'MemoryEdited':
      return {
        tone: 'info',
        text: `Memory was changed here: ${[...Object.keys(event.set), ...event.removed].join(', ')}`,
      };
    case 'WriteDropped':
      return {
        tone: 'warning',
        text: `Write to ${event.keys.join(', ')} was dropped: ${event.reason}`,
      };
    case 'WritesCollided':
      return {
        tone: 'warning',
        text: `${event.memory_key} was also written by ${event.other}; the later one counts`,
      };
    case 'CircuitOpened':
      return {
        tone: 'danger',
        text: `Circuit to ${event.target} opened after ${event.failures ?? 'several'} failures`,
      };
    case 'CircuitClosed':
      return { tone: 'info', text: `Circuit to ${event.target} closed again` };
    case 'JoinForced':
      return {
        tone: 'warning',
        text: `Join ran without ${brief(event.waiting, 80)}: branches waited for each other`,
      };
    case 'InterruptResolved':
      return event.decision === 'skip'
        ? { tone: 'warning', text: `A step in doubt was skipped${by(event.by, personOf)}` }
        : null;
    case 'MemoryQueryFailed':
      return { tone: 'warning', text: `Facts could not be looked up: ${event.error.message}` };
    case 'RunTransitioned':
      return { tone: 'info', text: `Went on in workflow ${event.graph_id}` };
    case 'RunEnding':
      if (event.status === 'completed')
        return { tone: 'info', text: 'Stops here, as was asked: nothing more is started' };
      if (isRejection(event.error)) return null; // a decision, which the head of the page names
      if (event.status === 'failed')
        return { tone: 'warning', text: 'A step failed: nothing more is started' };
      if (event.reason === event.status) return null; // the head of the page says that much
      return {
        tone: 'warning',
        text: `${event.status === 'timeout' ? 'Out of time' : 'Being cancelled'}${by(event.by, personOf)}${reason(event.reason)}`,
      };
    default:
      return null;
  }
}

function raise(usd: string | null | undefined, tokens: number | null | undefined): string {
  const parts = [usd ? `$${usd}` : '', tokens ? `${tokens} tokens` : ''].filter(
    (part) => part !== '',
  );
  return parts.join(' and ') || 'nothing';
}

function by(who: string | null | undefined, personOf: PersonOf): string {
  return who ? ` by ${personOf(who)}` : '';
}

function reason(text: string | null | undefined): string {
  return text ? `: ${text.replaceAll('_', ' ')}` : '';
}
