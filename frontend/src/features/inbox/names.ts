import {
  IconCoin,
  IconForms,
  IconListCheck,
  IconMessageQuestion,
  IconQuestionMark,
  IconShieldCheck,
  IconTool,
  type Icon,
} from '@tabler/icons-react';
import type { Decided, Interrupt, InterruptKind, Person } from '../../api/types/types.ts';
import { changesText } from '../../run/values/edits.ts';
import { visible } from '../../run/values/visible.ts';
import { shownChanges } from './receipt/shown.ts';
import { withCurrencies } from './sums/currencies.ts';
import { withSums } from './sums/spelled.ts';
import { statusLook } from '../../ui/status.ts';

interface KindLook {
  label: string;
  icon: Icon;
  tone: 'accent' | 'amber' | 'violet' | 'blue';
}

const looks: Record<InterruptKind, KindLook> = {
  approval: { label: 'Approval', icon: IconShieldCheck, tone: 'accent' },
  text: { label: 'Question', icon: IconMessageQuestion, tone: 'blue' },
  choice: { label: 'Choice', icon: IconListCheck, tone: 'blue' },
  'multi-choice': { label: 'Choice', icon: IconListCheck, tone: 'blue' },
  form: { label: 'Form', icon: IconForms, tone: 'blue' },
  budget: { label: 'Budget', icon: IconCoin, tone: 'amber' },
  in_doubt: { label: 'In doubt', icon: IconQuestionMark, tone: 'violet' },
};

const callLook: KindLook = { label: 'Tool call', icon: IconTool, tone: 'accent' };

/** Whether an item asks about one call of an agent, which reads what is said to it. */
export const isToolCall = ({ kind, request }: Interrupt): boolean =>
  kind === 'approval' && request.approval_type === 'tool_call';

export const kindLook = (item: Interrupt): KindLook =>
  isToolCall(item) ? callLook : looks[item.kind];

/** The name of whoever did something; the system when nobody is named. */
export function personName(
  person: Person | string | null | undefined,
  nobody = 'the system',
): string {
  if (person === null || person === undefined) return nobody;
  return typeof person === 'string' ? person : person.name;
}

/** A call in doubt by what was called: the tool, or method and address without its query. */
function callOf({ tool, method, url }: Interrupt['request']): string {
  if (tool) return tool;
  return method && url ? `${method} ${url.split('?')[0]}` : 'this call';
}

/** What is asked, in one line. */
export function titleOf(item: Interrupt): string {
  const { kind, request, node_label: label } = item;
  if (kind === 'approval')
    return withSums(request.prompt ?? 'Please review this step.', withCurrencies(item));
  if (kind === 'budget') return `${label} needs more budget`;
  if (kind === 'in_doubt') return `Did ${callOf(request)} happen?`;
  return visible(request.question ?? label);
}

const BETWEEN = ' · ';

/** What the run of an item is called, to stand beside the item's own title; empty where that says it. */
export const runTitleOf = (item: Interrupt): string => besideWords(item.run.title, titleOf(item));

const WORDLY = /[\p{L}\p{M}\p{N}]/u;

/** Whether a text says this, and not only within longer words: `Invoice 17` is not in `invoice 175`. */
function says(text: string, part: string): boolean {
  const [first = ''] = part;
  const last = Array.from(part).at(-1) ?? '';
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    // two units: a letter may take both
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
    const [after = ''] = text.slice(at + part.length, at + part.length + 2);
    const isWithin = (inner: string, outer: string) => WORDLY.test(inner) && WORDLY.test(outer);
    if (!isWithin(first, before) && !isWithin(last, after)) return true;
  }
  return false;
}

/** The title of a run, to stand beside other words; empty where they say it already. */
export function besideWords(runTitle: string, others: string): string {
  const said = others.toLowerCase();
  const parts = runTitle.toLowerCase().split(BETWEEN);
  return parts.every((part) => part === '' || says(said, part)) ? '' : visible(runTitle);
}

/** A title before a colon: without the mark that ends it. */
export const leadOf = (title: string): string => title.trimEnd().replace(/[.:!?]$/, '');

const verbs: Record<string, string> = {
  approved: 'approved this',
  rejected: 'rejected this',
  raise: 'raised the budget',
  stop: 'stopped the run',
  happened: 'said that it happened',
  retry: 'asked to send it again',
  skip: 'skipped the step',
  timed_out: 'did not decide in time',
  cancel: 'cancelled the run',
};

/** Who did it, and in whose place: `Rita, for Raul`. */
export function actorName(
  { by, stands_for: absent }: Pick<Decided, 'by' | 'stands_for'>,
  nobody?: string,
): string {
  const name = personName(by, nobody);
  return absent ? `${name}, for ${personName(absent)},` : name;
}

/** An item by its name, in a sentence of its own: with its run, where items of one step are alike. */
export const calledOf = (item: Interrupt): string =>
  [leadOf(titleOf(item)), runTitleOf(item)].filter(Boolean).join(' · ');

/** What was decided, as a sentence. */
export function decidedText(
  decided: Pick<Decided, 'by' | 'stands_for' | 'decision' | 'edits'>,
): string {
  const { decision, edits } = decided;
  if (decision === 'timed_out' || decision === 'expired') return 'Nobody decided in time';
  const who = actorName(decided, 'Someone');
  if (decision === 'approved' && edits) return `${who} approved this with edits`;
  return `${who} ${verbs[decision] ?? 'answered this'}`;
}

/** Who edited, where that was not only who decided. */
function editors({ decided, changes }: Interrupt): string {
  const names = new Set(changes.map((change) => personName(change.by, '')));
  names.delete('');
  if (names.size === 0 || (names.size === 1 && names.has(personName(decided?.by, '')))) return '';
  return ` by ${[...names].join(' and ')}`;
}

/** That the run was cancelled, and by whom where that is known; null where it was not. */
export function endedText(ended: Interrupt['ended']): string | null {
  if (ended?.status !== 'cancelled') return null;
  const { by } = ended;
  return by !== null && typeof by === 'object' ? `Run cancelled by ${by.name}` : 'Run cancelled';
}

/** Why an item is closed when nobody decided it. */
export function closedText(item: Interrupt): string {
  const ended = endedText(item.ended);
  if (ended !== null) return ended;
  if (item.decided)
    return [
      decidedText(item.decided) + editors(item),
      changesText(shownChanges(item.changes, item.request.edit_schema?.properties)),
    ]
      .filter((part) => part !== '')
      .join(': ');
  return item.status === 'superseded'
    ? 'The run ended or asked anew, so this is no longer needed'
    : `This item is ${statusLook(item.status).label.toLowerCase()}`;
}
