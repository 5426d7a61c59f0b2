/** A policy in words: pieces of a sentence, some of which can be chosen. */

import { longDuration, shortDuration } from '../../ui/format/duration/durations.ts';
import type { OwnWork, Policy, Rule } from './policy.ts';

/** A part of the sentence that is chosen. */
export type Slot =
  'rule' | 'people' | 'own' | 'veto' | 'reason' | 'remind' | 'escalate' | 'late' | 'confirm';

/** A piece of the sentence: plain words, or what stands in a slot. */
export type Piece = string | { slot: Slot; words: string };

/** What people are called, for an entry such as `group:finance`. */
export type Naming = (entry: string) => string;

/** When nobody decides in time: after how long, and where it leads; null is a rejection. */
export interface Late {
  after_ms: number | null;
  to: string | null;
}

const own: Readonly<Record<OwnWork, string>> = {
  starter: 'who started it',
  publisher: 'who published it',
  editor: 'who edited it',
};
const reasons = { never: '', reject: 'for a no', always: 'always' } as const;
const gesture = {
  never: '',
  dangerous: 'a second key where it is dangerous',
  type: 'typing the amount',
} as const;

const joined = (words: readonly string[], last: string): string =>
  words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;

export const ownWords = (rule: OwnWork): string => own[rule];
/** When a reason is asked for, in words. */
export const reasonWords = (when: Policy['require_reason']): string => reasons[when] || 'never';
/** What approving takes beside the one key, in words. */
export const gestureWords = (how: Policy['confirm']): string => gesture[how] || 'nothing more';

export function ruleWords(rule: Rule): string {
  if (typeof rule === 'number') return String(rule);
  return { any: 'any one', all: 'everyone', per_group: 'one of each' }[rule];
}

/** Who is named, the first few of many; those of a role or group in the plural of nobody in particular. */
export function peopleWords(entries: readonly string[] | null, name: Naming): string {
  if (entries === null) return 'all reviewers';
  if (entries.length === 0) return 'nobody';
  const shown = entries.slice(0, 6).map(name);
  const rest = entries.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

/** Whether a no of one person leaves something to say: where several are needed, or it is said already. */
const weighs = ({ rule, veto }: Policy): boolean =>
  veto || rule === 'per_group' || (typeof rule === 'number' && rule > 1);

const agree = (rule: Rule): string => (typeof rule === 'number' && rule !== 1 ? 'agree' : 'agrees');

function conditions(policy: Policy, name: Naming): Piece[] {
  const { rule, eligible, four_eyes, veto, require_reason } = policy;
  const pieces: Piece[] = [
    'Approved when ',
    { slot: 'rule', words: ruleWords(rule) },
    ' of ',
    { slot: 'people', words: peopleWords(eligible, name) },
    ` ${agree(rule)}`,
  ];
  if (four_eyes.length > 0)
    pieces.push(', not ', { slot: 'own', words: joined(four_eyes.map(ownWords), 'or') });
  if (weighs(policy)) pieces.push('; a no ', { slot: 'veto', words: veto ? 'ends it' : 'counts' });
  if (require_reason !== 'never')
    pieces.push('; a reason ', { slot: 'reason', words: reasons[require_reason] });
  return [...pieces, '.'];
}

/** What happens while nobody decides: of whom it reminds, and who is asked too. */
export function nudges(
  { reminders, escalation }: Pick<Policy, 'reminders' | 'escalation'>,
  name: Naming,
): Piece[] {
  const pieces: Piece[] = [];
  if (reminders.length > 0) {
    const times = [...reminders]
      .sort((a, b) => a - b)
      .slice(0, 6)
      .map(shortDuration);
    pieces.push(' Reminds ', { slot: 'remind', words: `after ${joined(times, 'and')}` }, '.');
  }
  if (escalation)
    pieces.push(
      ' Asks ',
      {
        slot: 'escalate',
        words: `${peopleWords(escalation.to, name)} too after ${longDuration(escalation.after_ms)}`,
      },
      '.',
    );
  return pieces;
}

/** The sentence of a policy. `late` is absent where nothing says what happens then. */
export function sentence(policy: Policy, name: Naming, late: Late | null): Piece[] {
  const pieces = [...conditions(policy, name), ...nudges(policy, name)];
  const { confirm } = policy;
  if (late && late.after_ms !== null)
    pieces.push(
      ' If nobody decides within ',
      {
        slot: 'late',
        words: `${longDuration(late.after_ms)}, it ${late.to === null ? 'counts as rejected' : `goes to ${late.to}`}`,
      },
      '.',
    );
  if (confirm !== 'never')
    pieces.push(' Approving takes ', { slot: 'confirm', words: gesture[confirm] }, '.');
  return pieces;
}

const offers: readonly [Slot, string][] = [
  ['own', 'Not their own work'],
  ['reason', 'Ask for a reason'],
  ['remind', 'Remind'],
  ['escalate', 'Ask others later'],
  ['confirm', 'A second look'],
];

/** What `nudges` do not say yet, and could. */
export function unsaidNudges(pieces: readonly Piece[]): readonly [Slot, string][] {
  return unsaid(pieces).filter(([slot]) => slot === 'remind' || slot === 'escalate');
}

/** What the sentence does not say yet, and could. */
export function unsaid(pieces: readonly Piece[]): readonly [Slot, string][] {
  const said = new Set(pieces.map((piece) => (typeof piece === 'string' ? null : piece.slot)));
  return offers.filter(([slot]) => !said.has(slot));
}

/** The sentence as one text. */
export const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.words)).join('');
