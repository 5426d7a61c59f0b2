import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { totalOf } from '../../../api/http/lists.ts';
import { causesQuery, isMended, triedAgain } from '../../../api/http/runs/causes.ts';
import { capital } from '../../../ui/format/format.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from '../dashboard.module.css';

const SHOWN = 3;

interface CausesBoxProps {
  graph?: string | undefined;
  /** In which runs failed. */
  stretch: { since: string; until: string };
}

/** Why runs failed in a stretch: the open causes of the most runs, each with these; and how many are muted. */
export function CausesBox({ graph, stretch: { since, until } }: CausesBoxProps) {
  const among = { since, until, ...(graph ? { graph } : {}) };
  const list = useInfiniteQuery({
    ...causesQuery({ state: 'open', ordering: '-count', ...among }),
    placeholderData: (before) => before,
  });
  const mutedList = useInfiniteQuery(causesQuery({ state: 'muted', ...among }));
  const muted = totalOf(mutedList.data?.pages);
  const causes = (list.data?.pages[0]?.results ?? []).toSorted(
    (a, b) => Number(isMended(a)) - Number(isMended(b)),
  );
  const someMuted = muted !== '' && muted !== '0';
  if (causes.length === 0 && !someMuted) return null;
  return (
    <section className={classes.box} aria-label="Why runs fail">
      <header className={classes.boxHead}>
        <h2>Why runs fail</h2>
        <Link to="/runs/causes" className={classes.aside}>
          {causes.length > SHOWN || list.hasNextPage
            ? 'All causes, retry and resolve'
            : 'Retry and resolve'}
        </Link>
      </header>
      <ul className={classes.lines}>
        {causes.slice(0, SHOWN).map((cause) => (
          <li key={cause.id}>
            <Link to={runsOf(cause.id, since, until)} className="gw-truncate" title={cause.sample}>
              {capital(cause.title) || 'No message'}
            </Link>
            <span className={classes.aside}>
              {isMended(cause) ? 'Mended · ' : ''}
              {cause.graph.name}, {cause.count} {cause.count === 1 ? 'run' : 'runs'}, last{' '}
              <RelativeTime at={cause.last_at} />
              {cause.retried > 0 ? `, ${triedAgain(cause)}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {someMuted ? (
        <Link to="/runs/causes?state=muted" className={classes.aside}>
          {muted} muted
        </Link>
      ) : null}
    </section>
  );
}

/** The runs that failed of a cause in a stretch. */
const runsOf = (cause: string, since: string, until: string): string =>
  `/runs?${new URLSearchParams({ cause, ended_since: since, ended_until: until }).toString()}`;
