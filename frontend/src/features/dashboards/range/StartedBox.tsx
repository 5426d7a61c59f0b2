import { Link } from 'react-router';
import type { BoardFilter, StartedRow } from '../../../api/http/boards.ts';
import classes from '../dashboard.module.css';
import { startedAddress, startedWords } from './started.ts';

interface StartedBoxProps {
  rows: readonly StartedRow[];
  stretch: { since: string; until: string };
  filter: BoardFilter;
}

/** What started the runs of the stretch; each number opens the runs that it counts. */
export function StartedBox({ rows, stretch, filter }: StartedBoxProps) {
  return (
    <section className={classes.box} aria-label="Started by">
      <header className={classes.boxHead}>
        <h2>Started by</h2>
      </header>
      {rows.length === 0 ? <p className={classes.quiet}>No run has begun.</p> : null}
      {rows.length > 0 ? (
        <div
          className={classes.tableFrame}
          tabIndex={0}
          role="region"
          aria-label="What started runs"
        >
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Runs</th>
                <th scope="col">Failed</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.source} ${row.trigger}`}>
                  <th scope="row">{startedWords(row)}</th>
                  <td>
                    <Link to={startedAddress(row, stretch, filter)}>{row.runs}</Link>
                  </td>
                  <td>
                    {row.failed > 0 ? (
                      <Link to={startedAddress(row, stretch, filter, 'failed,timeout')}>
                        {row.failed}
                      </Link>
                    ) : (
                      0
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}
