import { ActionIcon } from '@mantine/core';
import { IconArrowLeft, IconMailOpened } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { type Action, useActions } from '../../actions/registry.ts';
import {
  type InterruptFilter,
  inboxViews,
  interruptQuery,
  interruptsQuery,
  narrowing,
  noNarrowing,
  runQuery,
  totalOf,
} from '../../api/http/lists.ts';
import type { Interrupt } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { DecisionPane } from './decide/DecisionPane.tsx';
import classes from './inbox.module.css';
import { InboxHead, NothingHere } from './list/InboxHead.tsx';
import { InboxList, type Picks } from './list/InboxList.tsx';
import { moveBy } from './list/moving.ts';
import { pickable } from './list/bulk.ts';
import { BulkBar } from './list/BulkBar.tsx';
import { PathStrip } from './decide/PathStrip.tsx';
import { type Cursor, cursorAt, nowhere, type Opened, openedIn } from './list/selection.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';

function useFilter(): [InterruptFilter, (part: Record<string, string | null>) => void, string] {
  const [params, setParams] = useSearchParams();
  const filter: InterruptFilter = { state: params.get('state') === 'done' ? 'done' : 'open' };
  const view = inboxViews.find((known) => known === params.get('view'));
  if (view && filter.state === 'open') filter.view = view;
  for (const name of narrowing) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  const change = (part: Record<string, string | null>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(part)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  const search = params.toString();
  return [filter, change, search ? `?${search}` : ''];
}

/** The item that is open when none was chosen. */
function useFirst(
  items: readonly Interrupt[],
  search: string,
): [string | null, (id: string | null) => void] {
  const [first, setFirst] = useState<Opened>({ id: null, search });
  const now = openedIn(
    first,
    items.map((item) => item.request_id),
    search,
  );
  if (now !== first) setFirst(now);
  return [now.id, (id) => setFirst({ id, search })];
}

/** The items that are picked to be decided together; what leaves the list is not picked any more. */
function usePicks(items: readonly Interrupt[]): Picks & { clear: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const picked = new Set(items.flatMap(({ request_id: id }) => (ids.has(id) ? [id] : [])));
    const toggle = (id: string) =>
      setIds(
        picked.has(id)
          ? new Set([...picked].filter((each) => each !== id))
          : new Set([...picked, id]),
      );
    return { picked, offered: pickable(items, picked), toggle, clear: () => setIds(new Set()) };
  }, [items, ids]);
}

/** Move through the list with J and K; U goes back to it on a phone. */
function useListActions(
  items: readonly Interrupt[],
  selected: string | null,
  go: (item: Interrupt | null) => void,
  picks: Picks,
  more: () => Promise<readonly Interrupt[]>,
): void {
  const place = useRef<Cursor>(nowhere);
  useEffect(() => {
    place.current = cursorAt(
      selected,
      items.map((item) => item.request_id),
      place.current,
    );
  }, [items, selected]);
  const actions = useMemo<Action[]>(() => {
    const move = (to: 1 | -1) => moveBy(to, { items, place, more, go });
    return [
      {
        id: 'inbox.next',
        label: 'Next item',
        group: 'Inbox',
        keys: ['J', 'ArrowDown'],
        quiet: true,
        run: () => move(1),
      },
      {
        id: 'inbox.previous',
        label: 'Previous item',
        group: 'Inbox',
        keys: ['K', 'ArrowUp'],
        quiet: true,
        run: () => move(-1),
      },
      {
        id: 'inbox.pick',
        label: 'Pick the item',
        group: 'Inbox',
        keys: ['X'],
        enabled: () => selected !== null && picks.offered.has(selected),
        run: () => (selected === null ? undefined : picks.toggle(selected)),
      },
      {
        id: 'inbox.back',
        label: 'Back to the list',
        group: 'Inbox',
        keys: ['U'],
        quiet: true,
        run: () => go(null),
      },
    ];
  }, [items, selected, go, picks, more]);
  useActions(actions);
}

/** What waits for a person: list left, item right. */
export default function InboxPage() {
  const [filter, change, search] = useFilter();
  const { requestId = null } = useParams();
  const navigate = useNavigate();
  useBell('inbox', 'interrupts');
  const list = useInfiniteQuery(interruptsQuery(filter));
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const [first, setFirst] = useFirst(items, search);
  const shown = requestId ?? first;
  const go = (item: Interrupt | null) =>
    void navigate(`/inbox${item ? `/${item.request_id}` : ''}${search}`);
  const picks = usePicks(items);
  const { hasNextPage, fetchNextPage } = list;
  const more = useCallback(async () => {
    if (!hasNextPage) return [];
    const { data } = await fetchNextPage();
    return data?.pages.flatMap((page) => page.results) ?? [];
  }, [hasNextPage, fetchNextPage]);
  useListActions(items, shown, go, picks, more);
  const listed = items.some((item) => item.request_id === shown);
  useEffect(() => {
    if (listed)
      document
        .querySelector(`[data-item="${CSS.escape(shown ?? '')}"]`)
        ?.scrollIntoView({ block: 'nearest' });
  }, [shown, listed]);
  return (
    <div className={classes.page} data-open={requestId !== null || undefined}>
      <section className={classes.side} aria-label="Inbox">
        <InboxHead filter={filter} change={change} total={totalOf(list.data?.pages)} />
        {list.isPending ? (
          <div className={classes.list}>
            <ListSkeleton rows={5} />
          </div>
        ) : null}
        {list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : null}
        {list.isSuccess && items.length === 0 ? (
          <NothingHere filter={filter} clear={() => change({ ...noNarrowing, view: null })} />
        ) : null}
        {items.length > 0 ? (
          <InboxList
            items={items}
            selected={shown}
            hrefOf={(item) => `/inbox/${item.request_id}${search}`}
            picks={picks}
          />
        ) : null}
        <MoreRows list={list} />
        <BulkBar
          items={items.filter((item) => picks.picked.has(item.request_id))}
          clear={picks.clear}
        />
        <p className={classes.hints} aria-hidden>
          <span>
            <Kbd keys="J" />
            <Kbd keys="K" /> move
          </span>
          <span>
            <Kbd keys="?" /> all keys
          </span>
        </p>
      </section>
      <section className={classes.main} aria-label="Item">
        <div className={classes.topBar}>
          <ActionIcon
            component={Link}
            to={`/inbox${search}`}
            aria-label="Back to the list"
            size="lg"
          >
            <IconArrowLeft size={20} />
          </ActionIcon>
        </div>
        {shown ? (
          <Item
            key={shown}
            requestId={shown}
            known={items.find((item) => item.request_id === shown)}
            onDone={() => setFirst(shown)}
          />
        ) : null}
        {shown === null && list.isSuccess && filter.state === 'open' ? (
          <EmptyState
            icon={IconMailOpened}
            title="All clear"
            text="When a run needs a decision, an answer or more budget, it appears here."
          />
        ) : null}
      </section>
    </div>
  );
}

function Item({
  requestId,
  known,
  onDone,
}: {
  requestId: string;
  known: Interrupt | undefined;
  onDone: () => void;
}) {
  const one = useQuery({ ...interruptQuery(requestId), ...(known ? { initialData: known } : {}) });
  const { data: run } = useQuery({
    ...runQuery(one.data?.run.id ?? ''),
    enabled: one.data !== undefined,
  });
  if (one.isError && !one.data)
    return <ErrorState error={one.error} onRetry={() => void one.refetch()} />;
  if (!one.data) return <ListSkeleton rows={6} />;
  const about = run?.document.nodes.find((node) => node.id === one.data.node)?.human_description;
  return (
    <>
      <PathStrip item={one.data} />
      <DecisionPane
        key={`${requestId}:${one.data.content_hash ?? ''}`}
        item={one.data}
        shortcuts
        about={about}
        onDone={onDone}
        onReload={() => void one.refetch()}
      />
    </>
  );
}
