import type { WorkerRow } from '../../../api/http/boards.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from '../dashboard.module.css';
import { standing } from './words.ts';

/** How a process is, in a word or two. */
export function Standing({ worker }: { worker: WorkerRow }) {
  const how = standing(worker);
  return (
    <span className={classes.beat} data-alive={worker.alive}>
      {how === 'alive' ? 'Alive' : null}
      {how === 'ending' ? 'Ending, takes no more' : null}
      {how === 'ended' ? 'Gone, as it ended without a word' : null}
      {how === 'silent' ? (
        <>
          Last heard <RelativeTime at={worker.seen_at} />
        </>
      ) : null}
    </span>
  );
}
