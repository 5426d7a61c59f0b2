/** The particulars of an entry in words: names for ids, sentences for policies, hashes cut and last. */

import type { AuditEntry } from '../../../api/http/workspace/people/access.ts';
import { changesText, type EditedValue } from '../../../run/values/edits.ts';
import { isObject } from '../../../run/values/json.ts';
import { formatDuration, formatExact } from '../../../ui/format/format.ts';
import { policyText, principalText } from './policyWords.ts';
import { eventWords, settingLabel, settingWords } from './settingWords.ts';

type Names = AuditEntry['names'];

/** One particular; `to` is where it leads. */
export interface Part {
  text: string;
  to?: string;
}

const LABELS: Record<string, string> = {
  held_ms: 'could be taken back for',
  content_hash: 'content hash',
  egress_allow: 'private addresses allowed',
  runs_at_once: 'runs at once',
  calls_at_once: 'calls at once',
  node: 'step',
  pins: 'pinned',
  breakpoints: 'stops before',
  graph: 'workflow',
  version_id: 'version',
  number: 'version',
  window_minutes: 'within',
  graphs: 'workflows',
  zone: 'time zone',
};
const PLACES: Record<string, string> = { run: '/runs/', graph: '/workflows/' };
const VIA: Record<string, string> = {
  page: 'on the page',
  api: 'through the API',
  token: 'with an API token',
  command: 'by a command',
};
/** What alerts watch, as they are called (`builder/reads/audited/things.py`). */
const WATCHED: Record<string, string> = {
  failures: 'runs that fail',
  provider_down: 'a provider that does not answer',
  spend: 'spend of a day',
  budget: 'a budget that is used up',
  waiting: 'items that wait too long',
  in_doubt: 'calls in doubt',
  stuck: 'runs that stand still',
};
/** Why a vote does not count any more. */
const LAPSES: Record<string, string> = {
  content_changed: 'the content was edited since',
  not_eligible: 'who voted may not decide any more',
};
const ID = /^[0-9a-f][0-9a-f-]{31,63}$/;
/** What may happen in a workspace, as triggers and rules of notices ask for it. */
const EVENT = /^(?:run|item|approval|question|doubt|budget)\.[a-z]+$/;
/** Particulars that name steps of the entry's run (`builder/reads/audited/steps.py`). */
const STEPS = new Set(['node', 'until', 'only', 'breakpoints', 'pins']);
/** Particulars that are moments. */
const MOMENTS = new Set(['until', 'muted_until', 'at', 'since']);
const MINUTE_MS = 60_000;
/** Whole numbers from here on have separators; those below may be a year or a place. */
const COUNTED = 10_000;

/** What a table says of a word that somebody wrote: nothing of `constructor`, which every object has. */
const own = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Whether a particular says anything: what was not set is left out. */
const isSaid = (value: unknown): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** An id that nothing is known of, short enough to compare. */
export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…` : id);

type Edited = EditedValue & { by?: string | null };

/** Edits in one line; of several people each with the name of who made it. */
function editedText(changes: readonly Edited[], names: Names): string {
  if (new Set(changes.map((change) => change.by)).size < 2) return changesText(changes);
  return changes
    .map(
      (change) =>
        `${changesText([change])} by ${change.by ? (own(names, change.by) ?? shortId(change.by)) : 'nobody'}`,
    )
    .join(', ');
}

function wordOf(value: string, names: Names): string {
  const name = own(names, value);
  if (name !== undefined || ID.test(value)) return name ?? shortId(value);
  return EVENT.test(value) ? eventWords(value) : principalText(value, names);
}

/** Milliseconds since the epoch, of this century. */
const isMoment = (value: number): boolean => value > 9.4e11 && value < 4.2e12;

/** What somebody gave, such as the answer to a form: fields are no settings there, whatever they are called. */
function givenText(value: unknown, names: Names): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return wordOf(value, names);
  if (Array.isArray(value)) return value.map((item) => givenText(item, names)).join('; ');
  if (!isObject(value as never)) return JSON.stringify(value);
  return Object.entries(value as object)
    .filter(([, inner]) => isSaid(inner))
    .map(([name, inner]) => `${name.replaceAll('_', ' ')} ${givenText(inner, names)}`)
    .join(', ');
}

/** The name of a step or a workflow that an entry calls by a word of its own, where it has one. */
const calledIn = (name: string, value: string, names: Names): string | undefined =>
  own(names, `${STEPS.has(name) ? 'node' : name}:${value}`);

function valueText(name: string, value: unknown, names: Names): string {
  if (typeof value === 'number' || typeof value === 'string') {
    const words = settingWords(name, value);
    if (words !== undefined) return words;
  }
  if (typeof value === 'number' && MOMENTS.has(name) && isMoment(value))
    return formatExact(new Date(value));
  if (typeof value === 'number' && name.endsWith('_ms')) return formatDuration(value);
  if (typeof value === 'number' && name.endsWith('_minutes'))
    return formatDuration(value * MINUTE_MS);
  if (typeof value === 'number' && value >= COUNTED) return value.toLocaleString('en');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return calledIn(name, value, names) ?? wordOf(value, names);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value
      .map((item) => calledIn(name, item, names) ?? settingWords(name, item) ?? wordOf(item, names))
      .join(', ');
  const { sha256, bytes } = (value ?? {}) as Record<string, unknown>;
  if (typeof sha256 === 'string' && typeof bytes === 'number')
    return `${bytes.toLocaleString('en')} bytes, kept as a hash`;
  if (name === 'answer') return givenText(value, names);
  if (Array.isArray(value)) return value.map((item) => valueText(name, item, names)).join('; ');
  if (isObject(value as never)) return insideText(value as object, names);
  return JSON.stringify(value);
}

/** What stands inside a particular, such as the settings of a trigger; what was not set is left out. */
const insideText = (value: object, names: Names): string =>
  Object.entries(value)
    .filter(([, inner]) => isSaid(inner))
    .map(([name, inner]) => {
      const [label, said] = [labelOf(name), valueText(name, inner, names)];
      return said.startsWith(`${label} `) ? said : `${label} ${said}`;
    })
    .join(', ');

const labelOf = (name: string): string =>
  settingLabel(name) ?? own(LABELS, name) ?? name.replaceAll('_', ' ');

interface Fork {
  run_id?: unknown;
}

/** The run that another one goes on for, by name; its place in the log is left out. */
function againText({ run_id: run }: Fork, names: Names): Part {
  const id = String(run);
  const name = own(names, id);
  return name === undefined
    ? { text: 'again after a run that is gone' }
    : { text: `again after ${name}`, to: `/runs/${id}` };
}

function partOf(name: string, value: unknown, names: Names): Part {
  if (name === 'changes' && Array.isArray(value))
    return { text: `edited: ${editedText(value as Edited[], names)}` };
  if (name === 'policy') return { text: `policy: ${policyText(value, names)}` };
  if (name === 'via' && typeof value === 'string')
    return { text: own(VIA, value) ?? `via ${value}` };
  if (name === 'forked_from' && isObject(value as never)) return againText(value as Fork, names);
  const watched = name === 'what' && typeof value === 'string' ? own(WATCHED, value) : undefined;
  if (watched !== undefined) return { text: `watches: ${watched}` };
  const lapse = name === 'reason' && typeof value === 'string' ? own(LAPSES, value) : undefined;
  if (lapse !== undefined) return { text: lapse };
  const isNamed = typeof value === 'string' && Object.hasOwn(names, value);
  const place = isNamed ? own(PLACES, name) : undefined;
  const [label, said] = [labelOf(name), valueText(name, value, names)];
  const text = said.startsWith(`${label} `) ? said : `${label}: ${said}`;
  return place === undefined ? { text } : { text, to: `${place}${String(value)}` };
}

/** What was edited comes first, hashes last. */
function weight(name: string): number {
  if (name === 'changes') return 0;
  return name === 'hash' || name.endsWith('_hash') ? 2 : 1;
}

/** The particulars of an entry; what was not set is left out. */
export function partsOf(detail: AuditEntry['detail'], names: Names = {}): Part[] {
  return Object.entries(detail)
    .filter(([, value]) => isSaid(value))
    .sort(([one], [other]) => weight(one) - weight(other))
    .map(([name, value]) => partOf(name, value, names));
}

/** The same in one line. */
export const particulars = (detail: AuditEntry['detail'], names: Names = {}): string =>
  partsOf(detail, names)
    .map(({ text }) => text)
    .join(' · ');
