import { keyCaps } from './keys.ts';
import classes from '../ui.module.css';

/** A shortcut such as `Mod+Shift+Z`, drawn as key caps of this machine. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={classes.kbd}>
      {keyCaps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
