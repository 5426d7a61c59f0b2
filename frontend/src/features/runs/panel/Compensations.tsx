import type { GraphDoc } from '../../../api/types/types.ts';
import type { RunView } from '../../../run/fold/model.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import { nodeLabel } from '../views/canvasViews.ts';
import classes from '../runs.module.css';

/** What was undone after the failure, by what, and whether it went well; in the order in which it happened. */
export function Compensations({
  view,
  document,
  onKey,
}: {
  view: RunView;
  document: GraphDoc;
  onKey: (key: string) => void;
}) {
  if (view.undos.length === 0) return null;
  return (
    <section aria-label="Undone">
      <h2 className={classes.smallTitle}>Undone, last work first</h2>
      <ol className={classes.undos}>
        {view.undos.map((undo) => (
          <li key={undo.key}>
            <StatusIcon status={view.activations[undo.key]?.status ?? undo.status} size={14} />
            <span>
              <button type="button" className={classes.linkButton} onClick={() => onKey(undo.key)}>
                {nodeLabel(document, undo.node)}
              </button>{' '}
              with <span className="gw-mono">{undo.tool}</span>
              {undo.error ? <span className={classes.undoError}>{undo.error.message}</span> : null}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
