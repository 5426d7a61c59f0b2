import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core';
import { IconBrain, IconPlus, IconX } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { type Action, useActions } from '../../actions/registry.ts';
import { type Fact, factsQuery } from '../../api/http/workspace/facts.ts';
import { useSession } from '../../api/http/queries.ts';
import { useBell } from '../../api/live/useBell.ts';
import { FactFilters } from './FactFilters.tsx';
import { FactForm } from './FactForm.tsx';
import { FactList } from './FactList.tsx';
import { FactPanel } from './FactPanel.tsx';
import classes from './memory.module.css';
import { useFactFilter } from './useFactFilter.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';

const NEW = 'new';

/** Keys of the list: J and K move, `/` searches, N writes, U closes. */
function useListKeys(
  facts: readonly Fact[],
  selected: string | null,
  go: (id: string | null) => void,
  search: () => void,
  mayWrite: boolean,
): void {
  useActions(
    useMemo<Action[]>(() => {
      const at = facts.findIndex((fact) => fact.id === selected);
      const move = (step: number) => () => {
        const next = facts[Math.min(facts.length - 1, Math.max(0, at + step))];
        if (next) go(next.id);
      };
      return [
        {
          id: 'memory.next',
          label: 'Next fact',
          group: 'Memory',
          keys: ['J', 'ArrowDown'],
          quiet: true,
          run: move(1),
        },
        {
          id: 'memory.previous',
          label: 'Previous fact',
          group: 'Memory',
          keys: ['K', 'ArrowUp'],
          quiet: true,
          run: move(-1),
        },
        { id: 'memory.search', label: 'Search facts', group: 'Memory', keys: ['/'], run: search },
        {
          id: 'memory.new',
          label: 'Write a fact',
          group: 'Memory',
          keys: ['N'],
          enabled: () => mayWrite,
          run: () => go(NEW),
        },
        {
          id: 'memory.close',
          label: 'Close the fact',
          group: 'Memory',
          keys: ['U', 'Escape'],
          quiet: true,
          enabled: () => selected !== null,
          run: () => go(null),
        },
      ];
    }, [facts, selected, go, search, mayWrite]),
  );
}

/** What runs have learned: found, corrected, forgotten. */
export default function MemoryPage() {
  const { filter, change, query, filtered } = useFactFilter();
  const { factId: selected = null } = useParams();
  const navigate = useNavigate();
  const { data: session } = useSession();
  const mayWrite = ['author', 'admin'].includes(session?.workspace?.role ?? '');
  useBell('runs', 'facts');
  const list = useInfiniteQuery({ ...factsQuery(filter), placeholderData: keepPreviousData });
  const facts = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const searchBox = useRef<HTMLInputElement>(null);
  const [clears, setClears] = useState(0);
  const go = (id: string | null) => void navigate(`/memory${id ? `/${id}` : ''}${query}`);
  useListKeys(facts, selected, go, () => searchBox.current?.focus(), mayWrite);
  useEffect(() => {
    document
      .querySelector(`[data-fact="${CSS.escape(selected ?? '')}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const clear = () => {
    change({ search: null, tag: null, entity: null, graph: null, run: null });
    setClears(clears + 1);
  };
  const blank = list.isSuccess && facts.length === 0;
  const write = mayWrite ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => go(NEW)}>
      Write a fact
    </Button>
  ) : null;
  return (
    <div className={classes.page} data-open={selected !== null || undefined}>
      <section className={classes.main} aria-label="Memory">
        <PageHeader
          title="Memory"
          text="What runs have learned. Nodes with a memory query get the facts that fit before they answer."
        >
          {blank && !filtered ? null : write}
        </PageHeader>
        <FactFilters key={clears} filter={filter} change={change} searchBox={searchBox} />
        {filter.run ? (
          <p className={classes.note}>
            Learned in{' '}
            <Anchor component={Link} to={`/runs/${filter.run}`} inherit>
              one run
            </Anchor>{' '}
            <ActionIcon
              size="sm"
              aria-label="Show facts of every run"
              onClick={() => change({ run: null })}
            >
              <IconX size={14} />
            </ActionIcon>
          </p>
        ) : null}
        <div className={classes.body}>
          {list.isPending ? <ListSkeleton rows={10} /> : null}
          {list.isError ? (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ) : null}
          {blank ? <NoFacts filtered={filtered} clear={clear} write={write} /> : null}
          {facts.length > 0 ? (
            <FactList facts={facts} selected={selected} hrefOf={(id) => `/memory/${id}${query}`} />
          ) : null}
          <MoreRows
            list={list}
            label={filter.search ? 'Show less relevant ones' : 'Show older facts'}
          />
        </div>
        <p className={classes.hints} aria-hidden>
          <span>
            <Kbd keys="J" />
            <Kbd keys="K" /> move
          </span>
          <span>
            <Kbd keys="/" /> search
          </span>
          <span>
            <Kbd keys="E" /> correct
          </span>
        </p>
      </section>
      {selected === NEW ? <NewFact onDone={(id) => go(id)} onClose={() => go(null)} /> : null}
      {selected && selected !== NEW ? (
        <FactPanel
          key={selected}
          id={selected}
          change={change}
          onClose={() => go(null)}
          onForgotten={() => go(null)}
        />
      ) : null}
    </div>
  );
}

function NewFact({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }) {
  return (
    <aside className={classes.panel} aria-label="New fact">
      <header className={classes.panelHead}>
        <h2>New fact</h2>
        <Tooltip label="Close">
          <ActionIcon aria-label="Close" onClick={onClose}>
            <IconX size={17} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.panelBody}>
        <FactForm known={null} onDone={(fact) => onDone(fact.id)} onCancel={onClose} />
      </div>
    </aside>
  );
}

function NoFacts({
  filtered,
  clear,
  write,
}: {
  filtered: boolean;
  clear: () => void;
  write: ReactNode;
}) {
  if (filtered)
    return (
      <EmptyState
        icon={IconBrain}
        title="No fact matches"
        text="Try other words, or fewer filters."
        action={
          <Button variant="default" onClick={clear}>
            Clear the filters
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconBrain}
      title="Nothing learned yet"
      action={
        write ?? (
          <Button component={Link} to="/workflows" variant="default">
            Go to workflows
          </Button>
        )
      }
      text={
        <>
          Put a <b>Reflection</b> node into a workflow: it turns what a run found into facts. Nodes
          with a memory query are told those that fit, in every later run.
        </>
      }
    />
  );
}
