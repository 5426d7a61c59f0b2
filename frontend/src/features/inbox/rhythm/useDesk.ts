import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate, useNavigationType, useParams } from 'react-router';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { decidingQuery, type InterruptFilter, interruptsQuery } from '../../../api/http/lists.ts';
import { useSession } from '../../../api/http/queries.ts';
import { useBell } from '../../../api/live/useBell.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { type HeldGo, tellHeld } from '../../../store/inbox/heldGoes.ts';
import { whyNotMany } from '../list/bulk/bulk.ts';
import { calledOf } from '../names.ts';
import { type Conductor, createConductor, type Performer } from './conductor.ts';
import { Courier, heldItems } from './courier/courier.ts';
import { dropDraft, openDraftsOf } from './drafts.ts';
import type { BulkVerb, Held } from './machine.ts';
import { short } from './words.ts';

const SAID_MS = 2_500;
const LOOK_MS = 500;
/** How many items are left below the cursor when the next page is asked for. */
const AHEAD = 10;
const USUAL_SECONDS = 8;
const AGAIN_MS = 3_000;

/** Everything that the inbox shows and does, around the machine. */
export interface Desk {
  conductor: Conductor;
  courier: Courier;
  list: ReturnType<typeof useList>;
  /** Items in the order of the list, and the one on screen also when it has left. */
  rows: readonly Interrupt[];
  /** Every item that was ever listed here, by id. */
  known: ReadonlyMap<string, Interrupt>;
  cursor: string | null;
  isOpen: boolean;
  said: string;
  /** Why the last press on the item did not count. */
  refused: string;
  dialog: BulkVerb | null;
  setDialog: (verb: BulkVerb | null) => void;
  back: () => void;
}

/** Nobody rings while the server is away: the list is asked for again until it is back. */
const useList = (filter: InterruptFilter) =>
  useInfiniteQuery({
    ...interruptsQuery(filter),
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_MS : false),
  });

/** Remember every item that was listed, so that one that has left can still be named. */
function useKnown(items: readonly Interrupt[]): Map<string, Interrupt> {
  const [known] = useState(() => new Map<string, Interrupt>());
  for (const item of items) known.set(item.request_id, item);
  return known;
}

function useSaid(): [string, (text: string) => void] {
  const [said, setSaid] = useState({ text: '', n: 0 });
  useEffect(() => {
    if (said.text === '') return undefined;
    const timer = setTimeout(() => setSaid({ text: '', n: 0 }), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const say = useCallback((text: string) => setSaid(({ n }) => ({ text, n: n + 1 })), []);
  return [said.text, say];
}

/** The address follows the cursor; an address that somebody else opened moves it. */
function useAddress(search: string): {
  requestId: string | null;
  go: (id: string) => void;
  settle: (id: string | null) => void;
  follow: (conductor: Conductor) => void;
  back: () => void;
} {
  const { requestId = null } = useParams();
  const location = useLocation();
  const kind = useNavigationType();
  const navigate = useNavigate();
  const isOurs = (location.state as { by?: string } | null)?.by === 'cursor' && kind !== 'POP';
  const follow = (conductor: Conductor) => {
    if (requestId !== null && !isOurs && conductor.store.getState().cursor !== requestId)
      conductor.dispatch({ type: 'open', id: requestId });
  };
  const go = (id: string) => {
    if (requestId !== id)
      void navigate(`/inbox/${id}${search}`, { replace: true, state: { by: 'cursor' } });
  };
  const settle = (id: string | null) => {
    if (requestId === null) return;
    if (id === null) void navigate(`/inbox${search}`, { replace: true });
    else go(id);
  };
  const back = () => void navigate(`/inbox${search}`);
  return { requestId, go, settle, follow, back };
}

/** What the machine and its courier ask of the page. */
interface Around {
  go: (id: string) => void;
  settle: (id: string | null) => void;
  say: (text: string) => void;
  refuse: (text: string) => void;
  openDialog: (verb: BulkVerb) => void;
  seconds: number;
  known: ReadonlyMap<string, Interrupt>;
}

/** Asks about what is picked; what is not decided with others is opened instead. */
function asker(conductor: Conductor, page: () => Around): (verb: BulkVerb) => void {
  return (verb) => {
    const { known, say, openDialog } = page();
    const picked = [...conductor.store.getState().picks].flatMap((id) => known.get(id) ?? []);
    const why = verb === 'approve' || verb === 'reject' ? whyNotMany(picked, verb) : null;
    if (why === null) return openDialog(verb);
    say(why);
    const [only, ...others] = picked;
    if (only === undefined || others.length > 0) return undefined;
    conductor.dispatch({ type: 'clear' });
    conductor.dispatch({ type: 'open', id: only.request_id });
    return undefined;
  };
}

/** The machine and its courier, made once; what they ask of the page is always the page of now. */
function useMachine(page: Around): {
  conductor: Conductor;
  courier: Courier;
  ask: (verb: BulkVerb) => void;
} {
  const client = useQueryClient();
  const [now] = useState(() => createStore<Around>(() => page));
  useLayoutEffect(() => now.setState(page, true));
  const [made] = useState(() => {
    const perform: Performer = (effect, answers) => {
      if (effect.do === 'go') now.getState().go(effect.id);
      if (effect.do === 'settle') now.getState().settle(effect.id);
      if (effect.do === 'say') now.getState()[effect.item ? 'refuse' : 'say'](effect.text);
      if (effect.do === 'dialog') ask(effect.verb);
      if (effect.do === 'withdraw') void courier.withdraw(effect.ids);
      const answer = effect.do === 'send' ? answers.get(effect.id) : undefined;
      if (effect.do === 'send' && answer)
        courier.send(effect.id, effect.verb, { ...answer, content_hash: effect.hash });
    };
    const conductor = createConductor(perform);
    const courier = new Courier({
      client,
      dispatch: (event) => {
        if (event.type === 'settled' && event.outcome === 'done') dropDraft(event.id);
        conductor.dispatch(event);
      },
      held: () => conductor.store.getState().held,
      window: () => now.getState().seconds * 1_000,
      titleOf: (id) => {
        const item = now.getState().known.get(id);
        return item ? calledOf(item) : 'An item';
      },
      tell: (title, message) =>
        notifications.show({ color: 'red', title, message, autoClose: 12_000 }),
    });
    const ask = asker(conductor, now.getState);
    // Also after the page was left: what is held is taken back on every page.
    conductor.store.subscribe((state, before) => {
      if (state.held !== before.held) tellHeld(goesOf(state.held, now.getState().known));
    });
    return { conductor, courier, ask };
  });
  return made;
}

/** What is held, as the other pages tell it. */
function goesOf(held: readonly Held[], known: ReadonlyMap<string, Interrupt>): HeldGo[] {
  const open = held.filter((one) => one.state !== 'sending');
  return [...new Set(open.map((one) => one.together))].flatMap((together) => {
    const [first, ...others] = open.filter((one) => one.together === together);
    if (!first) return [];
    const item = known.get(first.id);
    const verb = first.verb === 'approve' ? 'Approved' : 'Rejected';
    const what =
      others.length > 0 ? `${others.length + 1} items` : item ? short(calledOf(item)) : 'it';
    return [
      { ids: [first, ...others].map((one) => one.id), text: `${verb} ${what}`, until: first.until },
    ];
  });
}

/** What was decided before the page was loaded and can still be taken back. */
function useRestored(conductor: Conductor, known: Map<string, Interrupt>): void {
  useEffect(() => {
    void heldItems()
      .then((items) => {
        for (const [id, item] of items) {
          known.set(id, item);
          if (item.held === null || item.held.state === 'refused') continue;
          const verb = item.held.decision === 'approved' ? 'approve' : 'reject';
          conductor.dispatch({ type: 'bulkHeld', ids: [id], verb });
          conductor.dispatch({ type: 'held', id, until: Date.parse(item.held.commit_at) });
        }
      })
      .catch(() => undefined);
  }, [conductor, known]);
}

function useSettling(courier: Courier, isHolding: boolean): void {
  useEffect(() => {
    if (!isHolding) return undefined;
    const timer = setInterval(() => void courier.look(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, [courier, isHolding]);
}

/** The inbox as one sits at it. */
export function useDesk(filter: InterruptFilter, search: string): Desk {
  useBell('inbox', 'interrupts');
  const me = useSession().data?.user?.id ?? '';
  useState(() => openDraftsOf(me));
  const list = useList(filter);
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const known = useKnown(items);
  const [said, say] = useSaid();
  const [refused, refuse] = useSaid();
  const [dialog, openDialog] = useState<BulkVerb | null>(null);
  const { requestId, go, settle, follow, back } = useAddress(search);
  const seconds = useQuery(decidingQuery).data?.seconds ?? USUAL_SECONDS;
  const { conductor, courier, ask } = useMachine({
    go,
    settle,
    say,
    refuse,
    openDialog,
    seconds,
    known,
  });
  const setDialog = useCallback(
    (verb: BulkVerb | null) => (verb === null ? openDialog(null) : ask(verb)),
    [ask],
  );
  useRestored(conductor, known);
  const onScreen = useStore(conductor.store, (state) => state.cursor);
  useEffect(() => refuse(''), [onScreen, refuse]);
  const { key } = useLocation();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const { isSuccess, isPlaceholderData, dataUpdatedAt } = list;
  const scope = JSON.stringify(filter);
  useEffect(() => {
    if (isSuccess && !isPlaceholderData)
      conductor.dispatch({
        type: 'listed',
        scope,
        ids: items.map((item) => item.request_id),
        complete: !hasNextPage,
        at: conductor.store.getState().scope === '' ? requestId : null,
      });
    // Each answer is told once when it comes, also one that says the same again: what was held may
    // have been settled since.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [conductor, items, dataUpdatedAt, isSuccess, isPlaceholderData, hasNextPage]);
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => follow(conductor), [key]);
  const state = useStore(conductor.store);
  useSettling(courier, state.held.length > 0);
  const { cursor, order, gone } = state;
  const ids = useMemo(
    () => order.filter((id) => !gone.has(id) || id === cursor),
    [order, gone, cursor],
  );
  const left = cursor === null ? ids.length : ids.length - 1 - ids.indexOf(cursor);
  // Before the machine has heard of the first page, nothing is short of anything.
  const isShort = state.scope === scope && (left < AHEAD || state.owed > 0);
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isShort, hasNextPage, isFetchingNextPage, fetchNextPage, cursor]);
  return {
    conductor,
    courier,
    list,
    rows: ids.flatMap((id) => known.get(id) ?? []),
    known,
    cursor,
    isOpen: requestId !== null,
    said,
    refused,
    dialog,
    setDialog,
    back,
  };
}
