import classes from './palette.module.css';

const STARTING = ['start', 'begin', 'trigger', 'webhook', 'schedule', 'cron'];

/** Where to go for what no node does: what starts a run stands before the first of them. Null for other words. */
export function elsewhere(search: string): string | null {
  const word = search.trim().toLowerCase();
  const means = word.length > 2 && STARTING.some((each) => each.startsWith(word));
  return means ? 'A webhook or schedule that starts runs: “+ Trigger” above Start' : null;
}

/** That no node type is called so, and where to go for what none does. */
export function Hint({ search, none }: { search: string; none: boolean }) {
  const place = elsewhere(search);
  const words = place ?? (none ? 'No node type by that name' : null);
  return words ? <p className={classes.none}>{words}</p> : null;
}
