import { formatTokens, formatUsd } from '../ui/format.ts';
import classes from './canvas.module.css';
import type { NodeRunView } from './context.ts';

interface Share { used: number; held: number; text: string }

function share(view: NodeRunView): Share | null {
  const usd = Number(view.limitUsd ?? 0);
  if (usd > 0) {
    const used = Number(view.usedUsd ?? 0);
    const held = Number(view.heldUsd ?? 0);
    return { used: used / usd, held: held / usd, text: `used ${formatUsd(used)} · held ${formatUsd(held)} · left ${formatUsd(Math.max(usd - used - held, 0))}` };
  }
  const tokens = view.limitTokens ?? 0;
  if (tokens <= 0) return null;
  const used = view.usedTokens ?? 0;
  const held = view.heldTokens ?? 0;
  return { used: used / tokens, held: held / tokens, text: `used ${formatTokens(used)} · held ${formatTokens(held)} · left ${formatTokens(Math.max(tokens - used - held, 0))} tokens` };
}

const percent = (part: number) => `${Math.min(Math.max(part, 0), 1) * 100}%`;

/** A thin bar: used solid, held hatched, left empty. */
function BudgetBar({ view }: { view: NodeRunView }) {
  const parts = share(view);
  if (!parts) return null;
  return (
    <div className={classes.bar} role="img" aria-label={`Budget: ${parts.text}`} title={parts.text} data-full={parts.used >= 1}>
      <span className={classes.used} style={{ width: percent(parts.used) }} />
      <span className={classes.held} style={{ width: percent(Math.min(parts.held, 1 - parts.used)) }} />
    </div>
  );
}

/** What a run adds to a card: budget, the words as they come, the error. Everything is text, never markup. */
export function NodeRun({ view }: { view: NodeRunView }) {
  return (
    <>
      {view.error ? <p className={classes.nodeError} title={view.error}>{view.error}</p> : null}
      {view.tokensText && !view.error ? <p className={classes.stream}>{view.tokensText.slice(-160)}</p> : null}
      {view.headline && !view.error && !view.tokensText ? <p className={classes.headline} title={view.headline}>{view.headline}</p> : null}
      <BudgetBar view={view} />
    </>
  );
}
