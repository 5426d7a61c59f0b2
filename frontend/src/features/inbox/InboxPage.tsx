import { ActionIcon, Button, Loader, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft, IconMailOpened } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useStore } from 'zustand';
import {
  type InterruptFilter,
  inboxViews,
  interruptQuery,
  narrowing,
  noNarrowing,
  runQuery,
  totalOf,
} from '../../api/http/lists.ts';
import type { Interrupt } from '../../api/types/types.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { DecisionPane } from './decide/DecisionPane.tsx';
import { YouAreAway } from '../settings/away/YouAreAway.tsx';
import { AsksYou } from '../comments/told/asks/AsksYou.tsx';
import { ForYou } from '../comments/told/ForYou.tsx';
import { PathStrip } from './decide/path/PathStrip.tsx';
import classes from './inbox.module.css';
import { schemasOf } from './decide/fields/fieldLook.ts';
import { isPickable } from './list/bulk/bulk.ts';
import { BulkAside } from './list/bulk/BulkAside.tsx';
import { BulkBar } from './list/bulk/BulkBar.tsx';
import { BulkDialog } from './list/bulk/BulkDialog.tsx';
import { InboxHead } from './list/InboxHead.tsx';
import { NotUsed } from './list/NotUsed.tsx';
import { NothingHere } from './list/NothingHere.tsx';
import { InboxList } from './list/InboxList.tsx';
import { StandFirst } from './list/StandFirst.tsx';
import { useInSight } from './list/useInSight.ts';
import { usualOrder } from './list/views/viewQueries.ts';
import { ConductorContext, RefusedContext } from './rhythm/conductor.ts';
import { HoldBar } from './rhythm/HoldBar.tsx';
import { type Desk, useDesk } from './rhythm/useDesk.ts';
import { useDeskActions } from './rhythm/useDeskActions.ts';

/** How many items are picked at once. */
const MOST_PICKED = 500;

function useFilter(): [InterruptFilter, (part: Record<string, string | null>) => void, string] {
  const [params, setParams] = useSearchParams();
  const filter: InterruptFilter = { state: params.get('state') === 'done' ? 'done' : 'open' };
  const asked = params.get('view') ?? 'decide';
  const view = inboxViews.find((known) => known === asked);
  if (view && filter.state === 'open') filter.view = view;
  const usual = usualOrder(filter.state);
  filter.ordering = filter.state === 'done' ? usual : (params.get('ordering') ?? usual);
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

/** Which items may be picked, and how all of them are, over every page. */
function usePicking({ conductor, rows, list }: Desk): {
  offered: ReadonlySet<string>;
  pickAll: () => void;
} {
  const offered = useMemo(
    () => new Set(rows.filter(isPickable).map((item) => item.request_id)),
    [rows],
  );
  const { fetchNextPage } = list;
  const pickAll = useCallback(() => {
    void (async () => {
      let found = await fetchNextPage();
      const loaded = () => found.data?.pages.flatMap((page) => page.results) ?? [];
      while (found.hasNextPage && loaded().length < MOST_PICKED) found = await fetchNextPage();
      const { gone } = conductor.store.getState();
      const ids = loaded()
        .filter((item) => isPickable(item) && !gone.has(item.request_id))
        .map((item) => item.request_id);
      conductor.dispatch({ type: 'pickAll', ids: ids.slice(0, MOST_PICKED) });
    })();
  }, [conductor, fetchNextPage]);
  return { offered, pickAll };
}

/** How many of what the server lists were decided here and are about to be sent. */
function useSending({ conductor, list }: Desk): number {
  const held = useStore(conductor.store, (state) => state.held);
  const listed = new Set(
    list.data?.pages.flatMap((page) => page.results.map((item) => item.request_id)),
  );
  return held.filter(({ id }) => listed.has(id)).length;
}

/** What waits for a person: list left, item right. */
export default function InboxPage() {
  const [filter, change, search] = useFilter();
  const desk = useDesk(filter, search);
  const { conductor, list, rows, known, cursor, said } = desk;
  const { offered, pickAll } = usePicking(desk);
  const sending = useSending(desk);
  const isNarrowed = narrowing.some((name) => filter[name] !== undefined);
  useDeskActions(desk, offered, pickAll);
  useInSight(cursor, rows.length > 0);
  return (
    <ConductorContext value={conductor}>
      <div className={classes.page} data-open={desk.isOpen || undefined}>
        <section className={classes.side} aria-label="Inbox">
          <InboxHead
            filter={filter}
            change={change}
            total={totalOf(list.data?.pages, sending)}
            sending={sending}
            rows={rows}
            isWhole={!list.hasNextPage}
          />
          {filter.state === 'open' ? (
            <>
              <YouAreAway />
              {filter.view === 'asks-me' ? null : <AsksYou />}
              <ForYou />
            </>
          ) : null}
          <NotUsed search={search} />
          <Listed
            desk={desk}
            filter={filter}
            change={change}
            search={search}
            offered={offered}
            sending={sending}
          />
          <HoldBar known={known} said={said} />
          <Picked desk={desk} />
          <p className={classes.hints}>
            <span>
              <Kbd keys="J" />
              <Kbd keys="K" /> move
            </span>
            {offered.size > 0 ? (
              <span>
                <Kbd keys="X" /> pick
              </span>
            ) : null}
            <span>
              <Kbd keys="F6" /> item
            </span>
            <span>
              <Kbd keys="?" /> all keys
            </span>
          </p>
        </section>
        <section className={classes.main} aria-label="Item">
          <div className={classes.topBar}>
            <VisuallyHidden component="h1">Inbox, one item</VisuallyHidden>
            <ActionIcon
              component={Link}
              to={`/inbox${search}`}
              aria-label="Back to the list"
              size={44}
            >
              <IconArrowLeft size={20} />
            </ActionIcon>
            <HoldBar known={known} said={said} />
          </div>
          <RefusedContext value={desk.refused}>
            {cursor ? <Item key={cursor} requestId={cursor} known={known.get(cursor)} /> : null}
          </RefusedContext>
          {cursor === null && list.isSuccess && filter.state === 'open' ? (
            <EmptyState
              icon={IconMailOpened}
              title={isNarrowed ? 'Nothing here' : 'All clear'}
              text={
                isNarrowed
                  ? 'Nothing fits what the list is narrowed to. Other items may wait.'
                  : 'When a run needs a decision, an answer or more budget, it appears here.'
              }
            />
          ) : null}
        </section>
      </div>
    </ConductorContext>
  );
}

interface ListedProps {
  desk: Desk;
  filter: InterruptFilter;
  change: (part: Record<string, string | null>) => void;
  search: string;
  offered: ReadonlySet<string>;
  sending: number;
}

function Listed({ desk, filter, change, search, offered, sending }: ListedProps) {
  const { conductor, list, rows, cursor } = desk;
  const fresh = useStore(conductor.store, (state) => state.fresh.length);
  const picked = useStore(conductor.store, (state) => state.picks);
  const gone = useStore(conductor.store, (state) => state.gone);
  if (list.isPending)
    return (
      <div className={classes.list}>
        <ListSkeleton rows={5} />
      </div>
    );
  if (list.isError && !list.data)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0 && fresh === 0)
    return <NothingHere filter={filter} clear={() => change({ ...noNarrowing, view: null })} />;
  return (
    <>
      {list.isError ? <NotConnected /> : null}
      {fresh > 0 ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.fresh}
          rightSection={<Kbd keys="N" />}
          onClick={() => conductor.dispatch({ type: 'fresh' })}
        >
          {fresh} new
        </Button>
      ) : null}
      <StandFirst filter={filter} rows={rows} />
      <InboxList
        items={rows}
        selected={cursor}
        gone={gone}
        isOld={list.isError}
        hrefOf={(item) => `/inbox/${item.request_id}${search}`}
        picks={{
          picked,
          offered,
          toggle: (id, isRange) =>
            conductor.dispatch(isRange ? { type: 'pickTo', id, offered } : { type: 'pick', id }),
        }}
      />
      <MoreRows list={list} leaving={sending} />
    </>
  );
}

/** Above a list that could not be asked for again: what it shows may be old. */
function NotConnected() {
  return (
    <p className={classes.offline} role="status">
      <Loader size={12} color="gray" aria-hidden />
      Not connected, trying again
    </p>
  );
}

function Picked({ desk: { conductor, courier, known, dialog, setDialog } }: { desk: Desk }) {
  const picked = useStore(conductor.store, (state) => state.picks);
  const items = [...picked].flatMap((id) => known.get(id) ?? []);
  const clear = () => void conductor.dispatch({ type: 'clear' });
  const close = () => setDialog(null);
  return (
    <>
      <BulkBar items={items} ask={setDialog} clear={clear} />
      {dialog === 'approve' || dialog === 'reject' ? (
        <BulkDialog items={items} verb={dialog} courier={courier} onClose={close} />
      ) : null}
      {dialog === 'snooze' || dialog === 'claim' || dialog === 'delegate' ? (
        <BulkAside
          items={items}
          verb={dialog}
          onClose={close}
          onDone={(left) => {
            clear();
            if (left.length > 0) conductor.dispatch({ type: 'pickAll', ids: left });
            close();
          }}
        />
      ) : null}
    </>
  );
}

function Item({ requestId, known }: { requestId: string; known: Interrupt | undefined }) {
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
        schemas={run && schemasOf(run.document)}
        input={run?.input}
        onReload={() => void one.refetch()}
      />
    </>
  );
}
