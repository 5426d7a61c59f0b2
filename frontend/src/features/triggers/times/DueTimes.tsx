import classes from '../triggers.module.css';

/** Moments in a time zone, one a line. */
export function DueTimes({ due, zone }: { due: readonly string[]; zone: string }) {
  const shown = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  return (
    <ol className={classes.due} aria-label="The next times">
      {due.map((at) => (
        <li key={at}>
          <time dateTime={at}>{shown.format(new Date(at))}</time>
        </li>
      ))}
    </ol>
  );
}
