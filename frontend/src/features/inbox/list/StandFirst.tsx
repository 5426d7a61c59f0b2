import type { InterruptFilter } from '../../../api/http/lists.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { isBack } from '../asking/words.ts';
import classes from '../inbox.module.css';
import { usualOrder } from './views/viewQueries.ts';

interface StandFirstProps {
  filter: InterruptFilter;
  rows: readonly Interrupt[];
}

/** Above a list in its usual order: why some of its items do not stand where their end would have them. */
export function StandFirst({ filter, rows }: StandFirstProps) {
  const [first] = rows;
  if (filter.state !== 'open' || filter.ordering !== usualOrder('open')) return null;
  if (!first || !isBack(first) || rows.every(isBack)) return null;
  return (
    <p className={classes.standFirst}>First what a question brought back, then what ends first</p>
  );
}
