/** What is foreseen, in words. */

import type { Interrupt } from '../../../api/types/types.ts';
import { isToolCall } from '../names.ts';
import { namesOf } from '../people.ts';
import type { Foresight, ForeseenStep, Verdict } from './queries.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function waitOf(ms: unknown): string {
  const minutes = Number(ms) / 60_000;
  if (minutes < 1) return `waits ${Math.round(minutes * 60)} s`;
  return minutes < 120 ? `waits ${Math.round(minutes)} min` : `waits ${Math.round(minutes / 60)} h`;
}

/** What a step does, after its name. */
export function doesOf({ does, call }: ForeseenStep): string {
  switch (does) {
    case 'http':
      return 'sends';
    case 'tool':
      return `calls the tool ${text(call.tool)} with`;
    case 'graph':
      return `runs the workflow ${text(call.graph)} with`;
    case 'approval':
      return 'asks for another approval:';
    case 'ask':
      return 'asks somebody:';
    case 'wait':
      return waitOf(call.duration_ms);
    case 'model':
      return 'asks a model, whose answer is not known yet';
    case 'function':
      return `runs the function ${text(call.name)}; what it does shows when it runs`;
    case 'undo':
      return `is taken back: ${text(call.name)}`;
    case 'fails':
      return 'would fail:';
    default:
      return 'runs; what it does shows when it runs';
  }
}

/** The host of an address; the address itself where it is none. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** What a step does in few words, without what it hands over. */
export function briefOf(step: ForeseenStep): string {
  if (step.does === 'http')
    return `sends ${text(step.call.method)} to ${hostOf(text(step.call.url))}`;
  if (step.does === 'approval') return 'asks for another approval';
  if (step.does === 'ask') return 'asks somebody';
  if (step.does === 'fails') return 'would fail';
  return doesOf(step).replace(/ with$/, '');
}

const OUTSIDE = new Set(['unsafe', 'keyed', 'probe']);

/** Whether a step can be taken back once it has run; empty where nothing outside changes. */
export function backOf(step: ForeseenStep): string {
  if (step.does === 'undo' || !OUTSIDE.has(step.effect_class ?? '')) return '';
  return step.undo ? 'Taken back by the workflow if it fails later' : 'Cannot be taken back';
}

/** Whether a step should not be reached by accident. */
export const isGrave = (step: ForeseenStep): boolean =>
  step.dangerous || (step.effect_class === 'unsafe' && step.does !== 'undo');

/** Names of steps that are told at most; of more the last ones count. */
const NAMED = 3;

/** `“Check” and “Refused”` of what is done at once; empty of nothing. */
function passedText(names: readonly string[]): string {
  const quoted = names.slice(-NAMED).map((name) => `“${name}”`);
  return quoted.length < 2
    ? (quoted[0] ?? '')
    : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

/** How the run ends with it, or the part that it is of a larger one; empty where it goes on. */
export function endOf({ ends, steps, why, passes }: Foresight, isPart = false): string {
  const run = isPart ? 'this part of the larger run' : 'the run';
  const Run = `T${run.slice(1)}`;
  const passed = passedText(passes);
  if (ends === 'completed')
    return passed ? `${Run} goes to ${passed}, and is done then.` : `${Run} is done then.`;
  const lead = steps.length === 0 ? `Nothing is sent; ${run}` : `Then ${run}`;
  if (ends) return `${lead} ends${why ? `: ${why}` : ''}.`;
  if (steps.length > 0) return '';
  return passed ? `${lead} goes on to ${passed}.` : `${lead} goes on.`;
}

/** That a rejection leaves it open, as enough others can still approve it; empty where it ends it. */
export function staysText({
  quorum,
  eligible,
  eligible_count: count,
}: Pick<Interrupt, 'quorum' | 'eligible' | 'eligible_count'>): string {
  if (quorum === null || quorum.no_ends_it) return '';
  return `It stays open: ${namesOf(eligible, count)} can still approve it, and read your reason.`;
}

/** Steps that are looked ahead from at most: each is a question to the server. */
export const MOST_STEPS = 4;

/** Items of one step of one workflow. */
export interface OneStep {
  key: string;
  first: Interrupt;
  items: readonly Interrupt[];
}

/** Items by workflow and step, in the order in which they come. */
export function stepsOf(items: readonly Interrupt[]): OneStep[] {
  const found = new Map<string, Interrupt[]>();
  for (const item of items) {
    const key = `${item.run.graph.id} ${item.node}`;
    const step = found.get(key);
    if (step) step.push(item);
    else found.set(key, [item]);
  }
  return [...found].flatMap(([key, of]) => (of[0] ? [{ key, first: of[0], items: of }] : []));
}

/** Under what what follows follows; with edits all that was approved before them counts no more. */
export function leadOf(item: Interrupt, decision: Verdict, edits: string): string {
  if (decision === 'rejected') return isToolCall(item) ? 'If you refuse' : 'If you reject';
  const { quorum } = item;
  const fall = edits !== '' && (quorum?.approvals.length ?? 0) > 0;
  const others = ((fall ? quorum?.needed : quorum?.remaining) ?? 1) - 1;
  if (others <= 0) return 'If you approve';
  const all = `you and ${others === 1 ? 'one more' : `${others} more`} approve`;
  return fall ? `Your edit is asked of all anew. If ${all} it` : `If ${all}`;
}
