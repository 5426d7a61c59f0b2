import { VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { GraphSummary } from '../../../api/types/types.ts';
import { Money } from '../../../ui/format/Money.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { useApproverNames } from '../../../ui/format/useApproverNames.ts';
import classes from '../../../ui/page/pages.module.css';
import { shownStatus } from '../../../ui/status.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import type { Column } from '../../../ui/table/DataTable.tsx';
import { spoken } from '../folders/paths.ts';
import own from './list.module.css';
import { RowMenu } from './RowMenu.tsx';

const WAITS = 'waits for approval';
/** A server of an older version, to which a page may speak while there are two, does not say. */
const isAwaited = (by?: readonly string[]): boolean => (by ?? []).length > 0;

/** That a version waits for approval, and of whom. */
function Waits({ by }: { by: readonly string[] }) {
  const names = useApproverNames(by);
  return (
    <span className={classes.tag} data-tone-of="waits" title={`Waits for approval by ${names}`}>
      {WAITS}
      <VisuallyHidden component="span"> by {names}</VisuallyHidden>
    </span>
  );
}

/** A workflow by name; where the list does not say it, with the folder that it lies in. */
function Name({ graph, folder }: { graph: GraphSummary; folder: string }) {
  return (
    <>
      <span dir="auto" className={own.name}>
        {graph.name}
      </span>
      {graph.folder !== folder ? (
        <span className={classes.about}>{spoken(graph.folder.slice(below(folder)))}</span>
      ) : null}
      {graph.description ? <span className={classes.about}>{graph.description}</span> : null}
      <span className={own.version}>{versionText(graph)}</span>
    </>
  );
}

/** On a phone, where the column would leave the names a few letters. */
function versionText({
  published,
  has_draft_changes: changed,
  waits_for: by,
}: GraphSummary): string {
  const waits = isAwaited(by);
  if (!published) return waits ? `draft, ${WAITS}` : 'draft';
  const more = waits ? WAITS : changed ? 'changes' : '';
  return `v${published.number} live${more ? `, ${more}` : ''}`;
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
      {isAwaited(graph.waits_for) ? (
        <Waits by={graph.waits_for} />
      ) : graph.published && graph.has_draft_changes ? (
        <span className={classes.tag} data-tone-of="changed">
          changes
        </span>
      ) : null}
    </span>
  );
}

const below = (folder: string) => (folder === '' ? 0 : folder.length + 1);

/** The columns of the list in a folder; `onMove` asks where a workflow goes, null for who moves none. */
export const columnsOf = (
  folder: string,
  onMove: ((graph: GraphSummary) => void) | null,
): Column<GraphSummary>[] => [
  {
    id: 'name',
    label: 'Name',
    order: { by: 'name', largestFirst: false },
    cell: (graph) => <Name graph={graph} folder={folder} />,
  },
  {
    id: 'version',
    label: 'Version',
    width: 150,
    roomy: true,
    cell: (graph) => <Version graph={graph} />,
  },
  {
    id: 'last',
    label: 'Last run',
    width: 130,
    cell: (graph) =>
      graph.last_run ? (
        <StatusBadge status={shownStatus(graph.last_run)} />
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
    cell: (graph) => (
      <span title="Of the runs of published versions that completed, failed or timed out, the share that completed">
        {graph.success_rate === null ? '–' : `${Math.round(graph.success_rate * 100)} %`}
      </span>
    ),
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
    cell: (graph) => <RowMenu graph={graph} onMove={onMove} />,
  },
];
