/**
 * The rhythm of deciding one item after the other, as a pure machine: what may be decided now, where
 * the cursor goes, what can be taken back. Nothing counts for an item that was not on screen.
 */

import { arrange, between, nextOf, placed, stepOf } from './order.ts';
import { extended, kept, ranged, toggled } from './picks.ts';
import { agoText } from './words.ts';

/** How long an item must have been on screen before a key decides it, in milliseconds. */
export const LOOK_MS = 150;

/** What is on screen: which item, with what content, since when (`performance.now()`). */
export interface Shown {
  id: string;
  hash: string;
  at: number;
}
export type HeldVerb = 'approve' | 'reject';
export type Phase = 'look' | 'edit' | 'reject' | 'reason' | 'confirm';

/** A decision that was made here: `until` is null before the server has said how long it waits. */
export interface Held {
  id: string;
  verb: HeldVerb;
  /** The first of those that were decided in one go: they are taken back in one go. */
  together: string;
  state: 'asked' | 'held' | 'sending';
  until: number | null;
}
export type Outcome = 'done' | 'lost' | 'changed' | 'failed';

export interface Rhythm {
  /** Under which filter, sort and view the order was taken. */
  scope: string;
  /** Ids in the order of the list as it was first shown; what leaves keeps its place. */
  order: readonly string[];
  /** Ids as the server gave them last. */
  listed: readonly string[];
  /** Ids that arrived since and wait to be shown. */
  fresh: readonly string[];
  /** Ids of `order` that are not in the list any more. */
  gone: ReadonlySet<string>;
  cursor: string | null;
  /** Steps past the end of what is loaded. */
  owed: number;
  complete: boolean;
  shown: Shown | null;
  /** Why nothing can be decided here just now. */
  frozen: 'closed' | 'changed' | null;
  phase: Phase;
  held: readonly Held[];
  /** When a decision was last sent for good; null before the first. */
  sentAt: number | null;
  picks: ReadonlySet<string>;
  anchor: string | null;
}

/** When something was pressed (`event.timeStamp`), and whether only because the key was kept down. */
export interface Press {
  at: number;
  repeat: boolean;
}
export type BulkVerb = HeldVerb | 'snooze' | 'claim' | 'delegate';

export type RhythmEvent =
  | { type: 'listed'; scope: string; ids: readonly string[]; complete: boolean; at: string | null }
  | { type: 'fresh' }
  | { type: 'open'; id: string }
  | { type: 'move'; by: 1 | -1 }
  | { type: 'painted'; id: string; hash: string; at: number }
  | { type: 'closed'; id: string }
  | { type: 'looked'; at: number }
  | { type: 'decide'; verb: HeldVerb; press: Press; due: 'nothing' | 'reason' | 'confirm' }
  | { type: 'other'; press: Press; id: string }
  | { type: 'answered'; id: string }
  | { type: 'phase'; to: Phase; press: Press }
  | { type: 'leave' }
  | { type: 'held'; id: string; until: number | null }
  | { type: 'undo'; id?: string | undefined; now?: number }
  | { type: 'withdrawn'; ids: readonly string[] }
  | { type: 'tick'; now: number }
  | { type: 'settled'; id: string; outcome: Outcome; now?: number }
  | { type: 'bulkHeld'; ids: readonly string[]; verb: HeldVerb }
  | { type: 'pick'; id: string }
  | { type: 'pickTo'; id: string; offered: ReadonlySet<string> }
  | { type: 'extend'; by: 1 | -1 }
  | { type: 'pickAll'; ids: readonly string[] }
  | { type: 'clear' };

/** What the page has to do because of an event. */
export type Effect =
  | { do: 'send'; id: string; hash: string; verb: HeldVerb }
  | { do: 'allow'; id: string }
  | { do: 'go'; id: string }
  | { do: 'settle'; id: string | null } // another list: an address that names an item names this
  | { do: 'withdraw'; ids: readonly string[] }
  | { do: 'dialog'; verb: BulkVerb }
  | { do: 'say'; text: string; item?: true }; // of a press on the item: told beside its buttons

export const start: Rhythm = {
  scope: '',
  order: [],
  listed: [],
  fresh: [],
  gone: new Set(),
  cursor: null,
  owed: 0,
  complete: false,
  shown: null,
  frozen: null,
  phase: 'look',
  held: [],
  sentAt: null,
  picks: new Set(),
  anchor: null,
};

type Step = readonly [Rhythm, readonly Effect[]];
const stay = (state: Rhythm, ...effects: Effect[]): Step => [state, effects];
const refused = (text: string): Effect => ({ do: 'say', text, item: true });

/** Why a deciding press does not count now; null where it does. */
export function refusal(state: Rhythm, press: Press): string | null {
  const { shown, cursor, frozen } = state;
  if (press.repeat) return 'Let go of the key first';
  if (frozen === 'closed') return 'This is decided already';
  if (frozen === 'changed') return 'This has just changed: look at it first';
  if (shown === null || shown.id !== cursor || press.at - shown.at < LOOK_MS)
    return 'Look at it first';
  return state.held.some((one) => one.id === cursor) ? 'You have decided this' : null;
}

/** Put the cursor on an item: nothing of what was on screen before counts for it. */
function at(state: Rhythm, cursor: string | null): Rhythm {
  if (cursor === state.cursor) return state;
  return { ...state, cursor, shown: null, frozen: null, phase: 'look', owed: 0 };
}

function gone(state: Rhythm, ids: readonly string[]): Rhythm {
  return {
    ...state,
    gone: new Set([...state.gone, ...ids]),
    picks: kept(state.picks, (id) => !ids.includes(id)),
  };
}

/** From a decided item to the one after it, else the one before; where none is left, to what arrived. */
function onward(state: Rhythm, id: string): Step {
  const left = gone(state, [id]);
  if (state.cursor !== id) return stay(left);
  const next = nextOf(left.order, left.gone, id);
  if (next !== null) return stay(at(left, next), { do: 'go', id: next });
  const [arrived] = left.fresh;
  // Where the list is not there yet, its next item is owed, and opens once it comes.
  if (arrived === undefined)
    return stay({ ...left, phase: 'look', owed: left.complete ? 0 : left.owed + 1 });
  return stay(at(takeIn(left), arrived), { do: 'go', id: arrived });
}

const takeIn = (state: Rhythm): Rhythm => ({
  ...state,
  order: placed(state.order, state.fresh, state.listed),
  fresh: [],
});

/** What opens with the first list: where one decided or moved on before it came, the item after. */
function owedFrom(
  { owed }: Rhythm,
  ids: readonly string[],
  held: ReadonlySet<string>,
  from: string | null,
): string | null {
  if (owed === 0 || from === null) return null;
  return stepOf(ids, held, from, owed) ?? nextOf(ids, held, from);
}

function listed(state: Rhythm, event: Extract<RhythmEvent, { type: 'listed' }>): Step {
  const { scope, ids, complete } = event;
  const held = new Set(state.held.map((one) => one.id));
  if (scope !== state.scope) {
    const first = event.at ?? ids.find((id) => !held.has(id)) ?? null;
    const cursor = (state.scope === '' && owedFrom(state, ids, held, event.at)) || first;
    const clean = {
      ...start,
      scope,
      order: ids,
      listed: ids,
      complete,
      gone: held,
      held: state.held,
      sentAt: state.sentAt,
      cursor,
    };
    const same = cursor !== null && cursor === state.cursor;
    const { shown, frozen, phase } = state;
    const seen = same ? { ...clean, shown, frozen, phase } : clean;
    if (state.scope !== '') return stay(seen, { do: 'settle', id: cursor });
    return cursor === null || cursor === first ? stay(seen) : stay(seen, { do: 'go', id: cursor });
  }
  const found = arrange(state, ids, complete, held);
  let next: Rhythm = { ...state, ...found, listed: ids, complete };
  next.picks = kept(next.picks, (id) => !next.gone.has(id));
  // Behind what is over, not before it: the way on leads there from the item that was decided last.
  if (next.order.every((id) => next.gone.has(id)))
    next = { ...next, order: [...next.order, ...next.fresh], fresh: [] };
  if (next.cursor === null) {
    const first = next.order.find((id) => !next.gone.has(id));
    return stay(first === undefined ? next : at(next, first));
  }
  if (next.owed === 0) return stay(next);
  const target = stepOf(next.order, next.gone, next.cursor, next.owed);
  return target === null
    ? stay({ ...next, owed: complete ? 0 : next.owed })
    : stay(at(next, target), { do: 'go', id: target });
}

function move(state: Rhythm, by: 1 | -1): Step {
  const target = stepOf(state.order, state.gone, state.cursor, by);
  if (target !== null) return stay(at(state, target), { do: 'go', id: target });
  return stay(by === 1 && !state.complete ? { ...state, owed: state.owed + 1 } : state);
}

function painted(state: Rhythm, { id, hash, at: when }: Shown): Step {
  if (id !== state.cursor) return stay(state);
  const before = state.shown;
  const isOther = before !== null && before.id === id && before.hash !== hash;
  const shown = before !== null && before.id === id && !isOther ? before : { id, hash, at: when };
  return stay({
    ...state,
    shown,
    frozen: isOther ? 'changed' : state.frozen,
    phase: isOther ? 'look' : state.phase,
  });
}

function decide(state: Rhythm, event: Extract<RhythmEvent, { type: 'decide' }>): Step {
  const { verb, press, due } = event;
  if (state.picks.size > 0 && state.phase === 'look') return stay(state, { do: 'dialog', verb });
  const why = refusal(state, press);
  const { shown } = state;
  if (why !== null || shown === null) return stay(state, refused(why ?? 'Look at it first'));
  if (due === 'confirm' && state.phase !== 'confirm') return stay({ ...state, phase: 'confirm' });
  if (due === 'reason') {
    const phase = verb === 'reject' ? 'reject' : state.phase === 'edit' ? 'edit' : 'reason';
    return stay({ ...state, phase });
  }
  const asked: Held = { id: shown.id, verb, together: shown.id, state: 'asked', until: null };
  const [next, effects] = onward({ ...state, held: [...state.held, asked] }, shown.id);
  return stay(next, { do: 'send', id: shown.id, hash: shown.hash, verb }, ...effects);
}

/** Take back what was decided last, all of one go, or what is named; what is being sent cannot be. */
function undo(state: Rhythm, id: string | undefined, now: number | undefined): Step {
  const open = state.held.filter((one) => one.state !== 'sending');
  const last = id === undefined ? open.at(-1) : open.find((one) => one.id === id);
  return last === undefined
    ? stay(state, { do: 'say', text: tooLate(state, now) })
    : stay(state, { do: 'withdraw', ids: goOf(open, last).map((one) => one.id) });
}

/** Why nothing can be taken back: it is on its way, or was sent so long ago. */
function tooLate({ held, sentAt }: Rhythm, now: number | undefined): string {
  if (held.length > 0) return 'It is being sent already';
  return sentAt === null || now === undefined
    ? 'Nothing can be taken back any more'
    : `Already sent ${agoText(now - sentAt)}`;
}

/** Those that were decided in one go with `one`, itself among them. */
export const goOf = (held: readonly Held[], { together }: Held): readonly Held[] =>
  held.filter((each) => each.together === together);

function back(state: Rhythm, ids: readonly string[]): Rhythm {
  return {
    ...state,
    held: state.held.filter((one) => !ids.includes(one.id)),
    gone: kept(state.gone, (id) => !ids.includes(id)),
  };
}

function withdrawn(state: Rhythm, ids: readonly string[]): Step {
  const [first] = ids;
  const next = back(state, ids);
  if (first === undefined) return stay(next);
  // Looked at anew even where it is still on screen: it has come back under the hand.
  return stay(
    { ...at(next, first), shown: null, frozen: null, phase: 'look' },
    { do: 'go', id: first },
  );
}

function settled(
  state: Rhythm,
  { id, outcome, now }: Extract<RhythmEvent, { type: 'settled' }>,
): Step {
  const held = state.held.filter((one) => one.id !== id);
  if (outcome === 'changed' || outcome === 'failed') return stay(back(state, [id]));
  const sentAt = outcome === 'done' ? (now ?? state.sentAt) : state.sentAt;
  return stay({ ...state, held, sentAt });
}

function phase(state: Rhythm, to: Phase, press: Press): Step {
  const why = refusal(state, press);
  return why === null ? stay({ ...state, phase: to }) : stay(state, refused(why));
}

/** The one step of the machine. */
export function step(state: Rhythm, event: RhythmEvent): Step {
  switch (event.type) {
    case 'listed':
      return listed(state, event);
    case 'fresh':
      return stay(takeIn(state));
    case 'open':
      return stay(at(state, event.id), { do: 'go', id: event.id });
    case 'move':
      return move(state, event.by);
    case 'painted':
      return painted(state, event);
    case 'closed':
      return stay(
        event.id === state.cursor ? { ...state, frozen: 'closed', phase: 'look' } : state,
      );
    case 'looked':
      return stay(
        state.frozen === 'changed' && state.shown !== null
          ? { ...state, frozen: null, shown: { ...state.shown, at: event.at } }
          : state,
      );
    case 'decide':
      return decide(state, event);
    case 'other': {
      const why = refusal(state, event.press);
      return stay(state, why === null ? { do: 'allow', id: event.id } : refused(why));
    }
    case 'answered':
      return onward(state, event.id);
    case 'phase':
      return phase(state, event.to, event.press);
    case 'leave':
      return stay({ ...state, phase: 'look' });
    case 'held':
      return stay({
        ...state,
        held: state.held.map((one) =>
          one.id === event.id ? { ...one, state: 'held', until: event.until } : one,
        ),
      });
    case 'undo':
      return undo(state, event.id, event.now);
    case 'withdrawn':
      return withdrawn(state, event.ids);
    case 'tick':
      return stay({
        ...state,
        held: state.held.map((one) =>
          one.until !== null && one.until <= event.now ? { ...one, state: 'sending' } : one,
        ),
      });
    case 'settled':
      return settled(state, event);
    case 'bulkHeld':
      return bulkHeld(state, event.ids, event.verb);
    case 'pick':
      return stay({ ...state, picks: toggled(state.picks, event.id), anchor: event.id });
    case 'pickTo':
      return pickTo(state, event.id, event.offered);
    case 'extend':
      return extend(state, event.by);
    case 'pickAll':
      return stay({ ...state, picks: new Set(event.ids.filter((id) => !state.gone.has(id))) });
    case 'clear':
      return stay({ ...state, picks: new Set(), anchor: null });
    default:
      return event satisfies never;
  }
}

function bulkHeld(state: Rhythm, ids: readonly string[], verb: HeldVerb): Step {
  const together = ids[0] ?? '';
  const asked = ids.map((id): Held => ({ id, verb, together, state: 'asked', until: null }));
  const next = { ...gone(state, ids), held: [...state.held, ...asked] };
  const { cursor } = state;
  return cursor !== null && ids.includes(cursor) ? onward(next, cursor) : stay(next);
}

function pickTo(state: Rhythm, id: string, offered: ReadonlySet<string>): Step {
  const way = between(state.order, state.anchor ?? state.cursor ?? id, id);
  const ids = way.filter((each) => offered.has(each) && !state.gone.has(each));
  return stay({ ...state, picks: ranged(state.picks, ids, id), anchor: id });
}

function extend(state: Rhythm, by: 1 | -1): Step {
  const from = state.cursor;
  const target = stepOf(state.order, state.gone, from, by);
  if (from === null || target === null) return stay(state);
  const picks = extended(state.picks, from, target);
  return stay({ ...at(state, target), picks }, { do: 'go', id: target });
}
