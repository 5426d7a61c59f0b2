import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { causesQuery, triedAgain } from '../../../api/http/runs/causes.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from '../dashboard.module.css';

const SHOWN = 3;

/** Why runs fail: the open causes of the most runs, each with these. */
export function CausesBox({ graph }: { graph?: string | undefined }) {
  const list = useInfiniteQuery(
    causesQuery({ state: 'open', ordering: '-count', ...(graph ? { graph } : {}) }),
  );
  const causes = list.data?.pages[0]?.results ?? [];
  if (causes.length === 0) return null;
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
            <Link to={`/runs?cause=${cause.id}`} className="gw-truncate" title={cause.sample}>
              {cause.title || 'No message'}
            </Link>
            <span className={classes.aside}>
              {cause.graph.name}, {cause.count} {cause.count === 1 ? 'run' : 'runs'}, last{' '}
              <RelativeTime at={cause.last_at} />
              {cause.retried > 0 ? `, ${triedAgain(cause)}` : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
