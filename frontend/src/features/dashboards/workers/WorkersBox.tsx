import { IconServer } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { WorkerRow } from '../../../api/http/boards.ts';
import { processName } from '../../../api/http/boards.ts';
import classes from '../dashboard.module.css';
import { Standing } from './Standing.tsx';
import { heldBy } from './words.ts';

const SHOWN = 5;

/** The processes that were heard of last, and where all of them are. */
export function WorkersBox({
  workers,
  isNarrowed,
}: {
  workers: readonly WorkerRow[];
  /** Whether the board is about one workflow; processes work for all of them. */
  isNarrowed: boolean;
}) {
  return (
    <section className={classes.box} aria-label="Workers">
      <header className={classes.boxHead}>
        <h2>{isNarrowed ? 'Workers, whole workspace' : 'Workers'}</h2>
        <Link to="/dashboard/workers" className={classes.aside}>
          All workers
        </Link>
      </header>
      {workers.length === 0 ? (
        <p className={classes.quiet}>No process has said that it is there.</p>
      ) : null}
      <ul className={classes.lines}>
        {workers.slice(0, SHOWN).map((worker) => (
          <li key={worker.id}>
            <IconServer size={15} aria-hidden />
            <span className="gw-truncate">{processName(worker)}</span>
            {worker.kind === 'web' ? null : (
              <Link to={heldBy(worker.id)} className={classes.aside}>
                {worker.runs_here} in hand
              </Link>
            )}
            <Standing worker={worker} />
          </li>
        ))}
      </ul>
    </section>
  );
}
