import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, Suspense, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Action, useActions } from '../../actions/registry.ts';
import { graphPagesQuery } from '../../api/http/lists.ts';
import type { GraphSummary } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { looksLikeDocument } from '../../graph/document/document.ts';
import { type NewTab, NewWorkflow } from './NewWorkflow.tsx';
import classes from '../../ui/page/pages.module.css';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { FolderBar } from './folders/FolderBar.tsx';
import { PickedBar } from './folders/PickedBar.tsx';
import { useFolder } from './folders/useFolder.ts';
import { DRAGGED } from './folders/useMove.tsx';
import { columnsOf } from './list/columns.tsx';
import { NoWorkflows } from './list/NoWorkflows.tsx';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const FolderDialog = lazyOnDemand(() => import('./folders/FolderDialog.tsx'));
const nothing: GraphSummary[] = [];

/** Every workflow of the workspace, and the ways to begin a new one. */
export default function WorkflowsPage() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const [tab, setTab] = useState<NewTab | null>(null);
  const [dropped, setDropped] = useState('');
  const [dragging, setDragging] = useState(false);
  useBell('runs', 'graphs');
  const actions = useMemo<Action[]>(
    () => [
      {
        id: 'workflows.new',
        label: 'New workflow',
        group: 'Workflows',
        keys: ['N'],
        run: () => setTab('blank'),
      },
      {
        id: 'workflows.describe',
        label: 'Describe a new workflow',
        group: 'Workflows',
        also: 'words ai assistant generate draft write',
        run: () => setTab('describe'),
      },
    ],
    [],
  );
  useActions(actions);
  const [ordering, setOrdering] = useState('-updated_at');
  const [params] = useSearchParams();
  const folder = params.get('folder') ?? '';
  const list = useInfiniteQuery({
    ...graphPagesQuery({
      ordering,
      ...(search.trim() ? { search: search.trim() } : {}),
      ...(folder ? { folder } : {}),
    }),
    placeholderData: keepPreviousData,
  });
  const { error, refetch } = list;
  const graphs = list.data?.pages.flatMap((page) => page.results);
  const { mayMove, picks, ...folders } = useFolder(folder, graphs ?? nothing);
  const columns = columnsOf(folder, mayMove ? (graph) => folders.ask([graph]) : null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    if (!event.dataTransfer.types.includes('Files')) return;
    void event.dataTransfer.files[0]?.text().then((text) => {
      setDropped(text);
      setTab('import');
    });
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      if (
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, [contenteditable]')
      )
        return;
      if (!looksLikeDocument(text)) return;
      setDropped(text);
      setTab('import');
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setDragging(event.dataTransfer.types.includes('Files'));
  };
  return (
    <div
      className={classes.page}
      data-dragging={dragging || undefined}
      onDragOver={over}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
    >
      <PageHeader title="Workflows">
        <Button
          variant="default"
          leftSection={<IconTemplate size={16} />}
          onClick={() => setTab('template')}
        >
          Templates
        </Button>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setTab('blank')}>
          New workflow
        </Button>
      </PageHeader>
      <div className={classes.filters} role="search">
        <TextInput
          leftSection={<IconSearch size={15} />}
          placeholder="Search name, description or tag"
          aria-label="Search workflows"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <FolderBar
        folder={folder}
        mayMove={mayMove}
        onFolder={folders.go}
        onNew={folders.askNew}
        onRename={folders.askName}
        onRemove={folders.takeAway}
        onDropped={folders.drop}
      />
      <div className={classes.body}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!graphs && !error ? <ListSkeleton rows={8} /> : null}
        {graphs?.length === 0 ? (
          <NoWorkflows
            search={search}
            folder={folder}
            onTab={setTab}
            clear={() => setTyped('')}
            leave={() => folders.go('')}
          />
        ) : null}
        {graphs?.length ? (
          <DataTable<GraphSummary>
            label="Workflows"
            rows={graphs}
            columns={columns}
            keyOf={(graph) => graph.id}
            hrefOf={(graph) => `/workflows/${graph.id}`}
            sorting={{ ordering, onOrder: setOrdering }}
            {...(mayMove
              ? {
                  picks,
                  onDrag: ({ id }, data) =>
                    data.setData(
                      DRAGGED,
                      (picks.picked.has(id) ? [...picks.picked] : [id]).join('\n'),
                    ),
                }
              : {})}
          />
        ) : null}
        <MoreRows list={list} />
      </div>
      <PickedBar
        count={picks.picked.size}
        onMove={() => folders.ask((graphs ?? []).filter(({ id }) => picks.picked.has(id)))}
        onClear={picks.clear}
      />
      {folders.question ? (
        <Suspense fallback={null}>
          <FolderDialog question={folders.question} onClose={folders.close} />
        </Suspense>
      ) : null}
      <NewWorkflow tab={tab} document={dropped} onTab={setTab} />
    </div>
  );
}
