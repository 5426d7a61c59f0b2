import { Button } from '@mantine/core';
import type { BulkAction } from '../../../api/http/runs/bulk.ts';
import classes from './bulk.module.css';
import { countedRuns } from './words.ts';

interface BulkBarProps {
  /** How many are picked, as people read it. */
  count: number;
  total: string;
  all: boolean;
  pickAll: (() => void) | null;
  clear: () => void;
  ask: (action: BulkAction) => void;
}

/** What can be done with the picked runs; nothing is done before it was shown what that means. */
export function BulkBar(props: BulkBarProps) {
  const { count, total, all, pickAll, clear, ask } = props;
  if (count === 0) return null;
  return (
    <div className={classes.bar} role="group" aria-label="Picked runs">
      <span>
        {all && count > 1 ? `All ${total || count} picked` : `${countedRuns(count)} picked`}
      </span>
      {pickAll ? (
        <Button size="compact-sm" variant="subtle" onClick={pickAll}>
          Pick all {total}
        </Button>
      ) : null}
      <Button size="compact-sm" onClick={() => ask('retry')}>
        Retry
      </Button>
      <Button size="compact-sm" variant="light" color="red" onClick={() => ask('cancel')}>
        Cancel
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
    </div>
  );
}
