import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconForms,
  IconMessageCircle,
  IconPlus,
  IconRoute,
  IconSearch,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type DragEvent, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Action, useActions } from '../../actions/registry.ts';
import { api, messageOf } from '../../api/http/client.ts';
import { graphPagesQuery } from '../../api/http/lists.ts';
import type { GraphSummary } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import { looksLikeDocument } from '../../graph/document/document.ts';
import { type NewTab, NewWorkflow } from './NewWorkflow.tsx';
import classes from '../../ui/page/pages.module.css';
import { useNewGraph } from './useNewGraph.ts';
import { confirm } from '../../ui/confirm.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { Money } from '../../ui/format/Money.tsx';
import { MoreRows } from '../../ui/table/MoreRows.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

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
  const list = useInfiniteQuery({
    ...graphPagesQuery({ ordering, ...(search.trim() ? { search: search.trim() } : {}) }),
    placeholderData: keepPreviousData,
  });
  const { error, refetch } = list;
  const graphs = list.data?.pages.flatMap((page) => page.results);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
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
      <div className={classes.body}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!graphs && !error ? <ListSkeleton rows={8} /> : null}
        {graphs?.length === 0 ? (
          <NoWorkflows search={search} onTab={setTab} clear={() => setTyped('')} />
        ) : null}
        {graphs?.length ? (
          <DataTable
            label="Workflows"
            rows={graphs}
            columns={columns}
            keyOf={(graph) => graph.id}
            hrefOf={(graph) => `/workflows/${graph.id}`}
            sorting={{ ordering, onOrder: setOrdering }}
          />
        ) : null}
        <MoreRows list={list} />
      </div>
      <NewWorkflow tab={tab} document={dropped} onTab={setTab} />
    </div>
  );
}

function NoWorkflows({
  search,
  onTab,
  clear,
}: {
  search: string;
  onTab: (tab: NewTab) => void;
  clear: () => void;
}) {
  if (search)
    return (
      <EmptyState
        icon={IconSearch}
        title={`No workflow matches “${search}”`}
        action={
          <Button variant="default" onClick={clear}>
            Clear the search
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconRoute}
      title="Draw your first workflow"
      text="A template runs at once, on your own input, with the built-in model."
      action={
        <Button.Group>
          <Button onClick={() => onTab('template')}>Start from a template</Button>
          <Button variant="default" onClick={() => onTab('blank')}>
            Blank
          </Button>
        </Button.Group>
      }
    />
  );
}

function Name({ graph }: { graph: GraphSummary }) {
  return (
    <>
      {graph.name}
      {graph.description ? <span className={classes.about}>{graph.description}</span> : null}
    </>
  );
}

function Version({ graph }: { graph: GraphSummary }) {
  return (
    <span className={classes.tags}>
      {graph.published ? (
        <span className={classes.tag} data-tone-of="live">
          v{graph.published.number} live
        </span>
      ) : (
        <span className={classes.tag}>draft</span>
      )}
      {graph.published && graph.has_draft_changes ? (
        <span className={classes.tag} data-tone-of="changed">
          changes
        </span>
      ) : null}
    </span>
  );
}

function RowMenu({ graph }: { graph: GraphSummary }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const duplicate = useNewGraph();
  const remove = useMutation({
    mutationFn: () => api.delete(`graphs/${graph.id}/`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphs'] }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'It was not deleted', message: messageOf(error) }),
  });
  const ask = async () => {
    const text =
      'The draft and all its versions go. Runs that were made with it stay readable. This cannot be undone.';
    if (await confirm({ title: `Delete “${graph.name}”?`, text, confirm: 'Delete', danger: true }))
      remove.mutate();
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`More for ${graph.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {graph.published ? (
          <Menu.Item
            leftSection={<IconMessageCircle size={16} />}
            onClick={() => void navigate(`/workflows/${graph.id}/chat`)}
          >
            Chat
          </Menu.Item>
        ) : null}
        {graph.published ? (
          <Menu.Item
            leftSection={<IconForms size={16} />}
            onClick={() => void navigate(`/workflows/${graph.id}/form`)}
          >
            Form
          </Menu.Item>
        ) : null}
        <Menu.Item
          leftSection={<IconRoute size={16} />}
          onClick={() => void navigate(`/runs?graph=${graph.id}`)}
        >
          Its runs
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopy size={16} />}
          onClick={() => duplicate.mutate({ duplicate_of: graph.id })}
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={16} />}
          component="a"
          href={`/api/graphs/${graph.id}/export/?format=yaml`}
          download={`${graph.slug}.yaml`}
        >
          Export
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void ask()}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const columns: Column<GraphSummary>[] = [
  {
    id: 'name',
    label: 'Name',
    order: { by: 'name', largestFirst: false },
    cell: (graph) => <Name graph={graph} />,
  },
  { id: 'version', label: 'Version', width: 150, cell: (graph) => <Version graph={graph} /> },
  {
    id: 'last',
    label: 'Last run',
    width: 130,
    cell: (graph) =>
      graph.last_run ? (
        <StatusBadge status={graph.last_run.status} />
      ) : (
        <span className={classes.dim}>never</span>
      ),
  },
  {
    id: 'open',
    label: 'Waiting',
    width: 90,
    align: 'right',
    wide: true,
    cell: (graph) =>
      graph.open_approvals > 0 ? (
        <Link
          to={`/inbox?graph=${graph.id}`}
          className={`above ${classes.waiting}`}
          aria-label={`${graph.open_approvals} open in the inbox`}
        >
          {graph.open_approvals}
        </Link>
      ) : (
        '–'
      ),
  },
  {
    id: 'runs',
    label: 'Runs, 30 d',
    width: 90,
    align: 'right',
    wide: true,
    cell: (graph) => graph.runs_30d,
  },
  {
    id: 'success',
    label: 'Success',
    width: 80,
    align: 'right',
    wide: true,
    cell: (graph) =>
      graph.success_rate === null ? '–' : `${Math.round(graph.success_rate * 100)} %`,
  },
  {
    id: 'spend',
    label: 'This month',
    width: 100,
    align: 'right',
    wide: true,
    cell: (graph) => <Money usd={graph.spend_month_usd} />,
  },
  {
    id: 'updated',
    label: 'Changed',
    width: 110,
    order: { by: 'updated_at', largestFirst: true },
    wide: true,
    cell: (graph) => (
      <span className={classes.dim}>
        <RelativeTime at={graph.updated_at} />
      </span>
    ),
  },
  {
    id: 'menu',
    label: 'Actions',
    width: 56,
    align: 'right',
    quietLabel: true,
    cell: (graph) => <RowMenu graph={graph} />,
  },
];
