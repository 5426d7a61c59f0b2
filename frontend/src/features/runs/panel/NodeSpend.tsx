import type { RunDetail } from '../../../api/types/types.ts';
import { SpendMeter } from '../../../liverun/SpendMeter.tsx';
import type { RunView } from '../../../run/fold/model.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import classes from '../runs.module.css';
import { nodeLabel, shownStanding } from '../views/canvasViews.ts';

/** Which steps the money went to, the dearest first. */
export function NodeSpend({
  view,
  run,
  onNode,
}: {
  view: RunView;
  run: RunDetail;
  onNode: (id: string) => void;
}) {
  const nodes = Object.values(view.nodes).filter(
    (node) => node.spend.tokens > 0 || node.spend.heldTokens > 0,
  );
  if (nodes.length === 0) return null;
  const most = nodes.toSorted((a, b) => Number(b.spend.usd) - Number(a.spend.usd));
  return (
    <section>
      <h2 className={classes.smallTitle}>Spend by node</h2>
      <ul className={classes.spendList}>
        {most.map((node) => (
          <li key={node.id}>
            <StatusIcon status={shownStanding(view, node)} size={13} />
            <button type="button" className={classes.linkButton} onClick={() => onNode(node.id)}>
              {nodeLabel(run.document, node.id)}
            </button>
            <SpendMeter spend={node.spend} limitUsd={null} compact />
          </li>
        ))}
      </ul>
    </section>
  );
}
