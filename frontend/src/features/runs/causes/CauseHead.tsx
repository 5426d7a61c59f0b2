import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { causeQuery } from '../../../api/http/runs/causes.ts';
import { BulkDialog } from '../bulk/BulkDialog.tsx';
import { CauseRow } from './CauseRow.tsx';
import classes from './causes.module.css';
import { useCauseChange } from './useCauseChange.ts';

/** Above the runs of one cause: what they say in common, and what can be done about all of them. */
export function CauseHead({ id }: { id: string }) {
  const { data: cause } = useQuery(causeQuery(id));
  const change = useCauseChange();
  const [retrying, setRetrying] = useState(false);
  if (!cause) return null;
  return (
    <>
      <ul className={`${classes.list} ${classes.head}`} aria-label="Why these runs failed">
        <CauseRow
          cause={cause}
          change={(next) => change({ id, change: next })}
          retry={() => setRetrying(true)}
        />
      </ul>
      {retrying ? (
        <BulkDialog
          select={{ cause: [id] }}
          action="retry"
          onClose={() => setRetrying(false)}
          onResolve={() => change({ id, change: { state: 'resolved' } })}
        />
      ) : null}
    </>
  );
}
