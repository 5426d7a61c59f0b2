import { Link } from 'react-router';
import type { BulkRun } from '../../../api/http/runs/bulk.ts';
import { type AnyStatus, statusLook } from '../../../ui/status.ts';
import classes from './bulk.module.css';
import { runName } from './words.ts';

/** The first runs of some, each by its name and how it stands, and how many more there are. */
export function RunNames({ runs, count }: { runs: readonly BulkRun[]; count: number }) {
  return (
    <ul className={classes.names}>
      {runs.map((run) => (
        <li key={run.id}>
          <Link to={`/runs/${run.id}`}>{runName(run)}</Link>{' '}
          <span className={classes.dim}>
            {run.title ? `${run.graph} · ` : ''}
            {statusLook(run.status as AnyStatus).label.toLowerCase()}
          </span>
        </li>
      ))}
      {count > runs.length ? (
        <li className={classes.dim}>and {(count - runs.length).toLocaleString('en')} more</li>
      ) : null}
    </ul>
  );
}
