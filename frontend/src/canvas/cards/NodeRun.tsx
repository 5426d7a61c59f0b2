import classes from '../canvas.module.css';
import type { NodeRunView } from './context.ts';
import { tightest } from '../../liverun/spendTotals.ts';
import { sidesOfNode } from './nodeSpend.ts';

const percent = (part: number) => `${Math.min(Math.max(part, 0), 1) * 100}%`;

/** What is used, held and left of each cap, and a thin bar for the nearest: used solid, held hatched, left empty. */
function Budget({ view }: { view: NodeRunView }) {
  const sides = sidesOfNode(view).filter(({ share }) => share !== null);
  const bar = tightest(sides);
  if (!bar) return null;
  const lines = sides.map(({ used, held, left }) =>
    [`${used} used`, held === null ? '' : `${held} held`, `${left} left`]
      .filter(Boolean)
      .join(' · '),
  );
  return (
    <div className={classes.budget} role="group" aria-label={`Budget: ${lines.join('; ')}`}>
      <div className={classes.bar} aria-hidden data-full={bar.used >= 1}>
        <span className={classes.used} style={{ width: percent(bar.used) }} />
        <span
          className={classes.held}
          style={{ width: percent(Math.min(bar.held, 1 - bar.used)) }}
        />
      </div>
      {lines.map((line) => (
        <span key={line} aria-hidden>
          {line}
        </span>
      ))}
    </div>
  );
}

/** What a run adds to a card: budget, the words as they come, the error. Everything is text, never markup. */
export function NodeRun({ view }: { view: NodeRunView }) {
  return (
    <>
      {view.nextTry ? <p className={classes.headline}>{view.nextTry}</p> : null}
      {view.error ? (
        <p className={classes.nodeError} title={view.error}>
          {view.error}
        </p>
      ) : null}
      {view.refusal ? (
        <p className={classes.stream} title={view.refusal}>
          {view.refusal}
        </p>
      ) : null}
      {view.tokensText && !view.error ? (
        <p className={classes.stream}>{view.tokensText.slice(-160)}</p>
      ) : null}
      {view.headline && !view.error && !view.tokensText && !view.refusal ? (
        <p className={classes.headline} title={view.headline}>
          {view.headline}
        </p>
      ) : null}
      <Budget view={view} />
    </>
  );
}
