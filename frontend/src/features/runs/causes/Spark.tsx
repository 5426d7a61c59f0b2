import classes from './causes.module.css';

/** How often something happened in each of the last hours, the present one last; from zero up. */
export function Spark({ counts }: { counts: readonly number[] }) {
  const top = Math.max(...counts, 1);
  const sum = counts.reduce((a, b) => a + b, 0);
  return (
    <span className={classes.spark} role="img" aria-label={`${sum} in the last 24 hours`}>
      {counts.map((count, at) => (
        <i key={at} style={{ height: `${Math.max((count / top) * 100, count > 0 ? 12 : 0)}%` }} />
      ))}
    </span>
  );
}
