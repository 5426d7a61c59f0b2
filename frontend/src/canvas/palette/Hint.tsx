import { elsewhere } from './PaletteList.ts';
import classes from './palette.module.css';

/** That no node type is called so, and where to go for what none does. */
export function Hint({ search, none }: { search: string; none: boolean }) {
  const place = elsewhere(search);
  const words = place ?? (none ? 'No node type by that name' : null);
  return <div role="status">{words ? <p className={classes.none}>{words}</p> : null}</div>;
}
