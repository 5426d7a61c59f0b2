/** One line about an event, for the list of events. */

import { changesText } from '../values/edits.ts';
import type { EditedKey, EventOf, RunEvent } from '../fold/events.ts';
import { type BlobRef, brief } from '../values/json.ts';
import { noticeOf } from '../fold/notices.ts';
import { deciderOf, type PersonOf } from '../values/people.ts';

/** What the next attempt waits for beside its back-off, as the beginning of a sentence. */
export function waitWords(waitsFor: 'server' | 'retry_after' | null | undefined): string {
  if (waitsFor === 'server') return 'waits for the model server, which is away; ';
  return waitsFor === 'retry_after' ? 'waits as long as the other side asked (Retry-After); ' : '';
}

/** What was said of a call in doubt, before “by Ann”. */
const DOUBT_WORDS: Record<string, string> = {
  happened: 'said to have happened',
  retry: 'tried again, as asked',
  skip: 'skipped',
};

/** Return what an event says in words, empty where its type says it all. `personOf` names who did it. */
export function describeEvent(event: RunEvent, personOf: PersonOf = (id) => id): string {
  switch (event.type) {
    case 'RunStarted':
      return `input ${brief(event.input, 80) || 'nothing'}`;
    case 'RunCompleted':
      return `${event.until ? `stopped after ${event.until}, as was asked; ` : ''}result ${brief(event.result, 80) || 'nothing'}`;
    case 'RunFailed':
    case 'RunTimedOut':
      return event.error?.message ?? event.reason ?? '';
    case 'RunCancelled':
      return [event.by ? `by ${personOf(event.by)}` : '', event.reason ?? '']
        .filter((part) => part !== '')
        .join(': ');
    case 'RunQueued':
      return 'as many runs are under way as may be: it waits for its turn';
    case 'RunAdmitted':
      return 'its turn has come';
    case 'NodeStarted':
      return event.resumed ? 'resumed' : `attempt ${event.attempt} of ${event.max_attempts}`;
    case 'NodeWaiting':
      return `waits for ${event.on === 'interrupt' ? 'a person' : event.on === 'run' ? 'a child run' : event.on}`;
    case 'NodeCompleted':
      return brief(event.output, 100);
    case 'NodeFailed':
      return event.error.message;
    case 'AttemptFailed':
      return `${waitWords(event.waits_for)}attempt ${event.attempt} of ${event.max_attempts}: ${event.error.message}`;
    case 'NodeInDoubt':
      return event.reason.replaceAll('_', ' ');
    case 'EdgeEvaluated':
      return `${event.expression} → ${event.value ? 'yes' : 'no'}, to ${event.target}`;
    case 'StepIntended':
      return [event.tool ?? event.kind, event.hold?.usd ? `holds $${event.hold.usd}` : '']
        .filter((part) => part !== '')
        .join(', ');
    case 'StepCompleted':
      return [
        event.tool ?? '',
        event.cost_usd ? `cost $${event.cost_usd}` : '',
        event.tokens ? `${event.tokens} tokens` : '',
        event.cut ? 'the answer was cut at max_output_tokens' : '',
      ]
        .filter((part) => part !== '')
        .join(', ');
    case 'StepFailed':
      return event.error.message;
    case 'StepRecorded':
      return event.kind;
    case 'MessageEmitted':
      return brief(event.content, 100);
    case 'StructuredEmitted':
      return `${event.data_type ?? 'generic'}: ${brief(event.data, 80)}`;
    case 'NodeStateSet':
    case 'WorkflowStateSet':
      return `${event.name} = ${brief(event.value, 80)}`;
    case 'InterruptOpened':
      return event.request.approval_type === 'tool_call'
        ? `call of ${brief(event.request.tool, 80)}`
        : event.kind.replaceAll('_', ' ');
    case 'InterruptResolved':
      return [
        DOUBT_WORDS[event.decision ?? ''] ?? event.decision ?? event.outcome,
        event.by ? `by ${deciderOf(event.by, event.stands_for, personOf)}` : '',
        edited(event.changes),
        event.told ? `· the agent reads “${brief(event.told, 80)}”` : '',
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'DecisionRecorded':
      return [
        event.decision,
        `by ${deciderOf(event.by, event.stands_for, personOf)}`,
        edited(event.changes, event.seq),
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'DecisionDropped':
      return `${personOf(event.by)}: ${event.reason === 'content_changed' ? 'the content was edited since' : 'may not decide any more'}`;
    case 'InterruptReminded':
      return `reminder ${event.number}`;
    case 'InterruptEscalated':
      return `to ${event.to.join(', ') || 'nobody'}`;
    case 'InterruptAskedBack':
      return `${personOf(event.by)} asks ${personOf(event.to)}: ${brief(event.question, 100)}`;
    case 'InterruptAnsweredBack':
      return endOfAsking(event, personOf);
    case 'ChildrenRequested':
      return `${event.children.length} children`;
    case 'ChildRunRequested':
      return `workflow ${event.graph_id}`;
    case 'ChildRunWaiting':
      return event.waiting ? 'waits for people' : 'goes on';
    case 'ChildRunEnded':
      return event.status;
    case 'RowShown':
      return `${event.view}: ${brief(event.row, 80)}`;
    case 'CompensationStarted':
      return `undo with ${event.tool}`;
    case 'CompensationRun':
      return event.ok
        ? `undone with ${event.tool}`
        : `undo with ${event.tool} failed: ${event.error?.message ?? 'no reason given'}`;
    case 'AgentPinned':
      return event.agent_id;
    default:
      return noticeOf(event, 0, personOf)?.text ?? '';
  }
}

/** What was edited, with one event alone or so far; what is too long for a line is only named. */
function edited(changes: EditedKey[] | BlobRef | undefined, seq?: number): string {
  if (changes === undefined) return '';
  const mine = Array.isArray(changes)
    ? changes.filter((change) => seq === undefined || change.seq === seq)
    : [];
  return `with edits: ${changesText(mine)}`;
}

/** What came of a question back. */
function endOfAsking(
  { outcome, by, reply }: EventOf<'InterruptAnsweredBack'>,
  personOf: PersonOf,
): string {
  const who = by === undefined ? 'somebody' : personOf(by);
  if (outcome === 'answered') return `${who}: ${brief(reply ?? '', 100)}`;
  return outcome === 'withdrawn' ? `${who} took the question back` : 'nobody answered in time';
}
