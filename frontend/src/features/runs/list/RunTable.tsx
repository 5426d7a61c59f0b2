import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { RunFilter } from '../../../api/http/lists.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { BulkAction, BulkSelect } from '../../../api/http/runs/bulk.ts';
import type { RunSummary } from '../../../api/types/types.ts';
import { mayRun } from '../../../ui/roles.ts';
import { DataTable, type Sorting } from '../../../ui/table/DataTable.tsx';
import { BulkBar } from '../bulk/BulkBar.tsx';
import { BulkDialog } from '../bulk/BulkDialog.tsx';
import { columnsFor } from './columns.tsx';
import type { RunChoice } from './runChoice.ts';
import { useListKeys } from './useListKeys.ts';
import { useRunPicks } from './useRunPicks.ts';

interface RunTableProps {
  rows: readonly RunSummary[];
  /** The ids of the columns. */
  shown: ReadonlySet<string>;
  filter: RunFilter;
  choice: RunChoice;
  total: string;
  hasMore: boolean;
  sorting: Sorting;
}

/** The runs, with a cursor and, for who may run, boxes and what can be done with those picked. */
export function RunTable({ rows, shown, filter, choice, total, hasMore, sorting }: RunTableProps) {
  const navigate = useNavigate();
  const canRun = mayRun(useSession().data?.workspace?.role);
  const narrowed = useMemo(() => {
    const { ordering, ...rest } = filter;
    return ordering === undefined ? filter : rest;
  }, [filter]);
  const picks = useRunPicks(rows, JSON.stringify({ ...choice, ordering: '' }));
  const [asked, setAsked] = useState<{ action: BulkAction; select: BulkSelect } | null>(null);
  const ids = useMemo(() => rows.map((run) => run.id), [rows]);
  const open = useCallback((id: string) => void navigate(`/runs/${id}`), [navigate]);
  const { more, whole } = usePickKeys(picks, ids.length > 0);
  const current = useListKeys({
    group: 'Runs',
    ids,
    open,
    ...(canRun ? { more, whole } : {}),
  });
  const select = picks.all ? { filter: narrowed } : { ids: [...picks.picked] };
  return (
    <>
      {rows.length > 0 ? (
        <DataTable
          label="Runs"
          rows={rows}
          columns={columnsFor(rows, shown)}
          keyOf={(run) => run.id}
          hrefOf={(run) => `/runs/${run.id}`}
          sorting={sorting}
          current={current}
          {...(canRun ? { picks } : {})}
        />
      ) : null}
      <BulkBar
        count={canRun ? picks.picked.size : 0}
        total={total}
        all={picks.all}
        pickAll={!picks.all && hasMore && picks.picked.size === rows.length ? picks.pickAll : null}
        clear={picks.clear}
        ask={(action) => setAsked({ action, select })}
      />
      {asked ? (
        <BulkDialog
          {...asked}
          onClose={(begun) => {
            setAsked(null);
            if (begun) picks.clear();
          }}
        />
      ) : null}
    </>
  );
}

/** Picking by keys. */
function usePickKeys({ toggle, pickAll }: ReturnType<typeof useRunPicks>, some: boolean) {
  const more = useCallback(
    (id: string) => [
      {
        id: 'runs.pick',
        label: 'Pick the run',
        group: 'Runs',
        keys: ['X'],
        run: () => toggle(id, false),
      },
      {
        id: 'runs.pickRange',
        label: 'Pick all from the last one picked',
        group: 'Runs',
        keys: ['Shift+X'],
        run: () => toggle(id, true),
      },
    ],
    [toggle],
  );
  const whole = useMemo(
    () => [
      {
        id: 'runs.pickAll',
        label: 'Pick every run that matches',
        group: 'Runs',
        keys: ['Mod+A'],
        enabled: () => some,
        run: pickAll,
      },
    ],
    [some, pickAll],
  );
  return { more, whole };
}
