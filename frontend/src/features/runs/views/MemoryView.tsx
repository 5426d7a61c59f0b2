import { useStore } from 'zustand';
import type { GraphDoc } from '../../../api/types/types.ts';
import { brief } from '../../../run/values/json.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { labelOf, type NodeName } from '../../../run/reading/timeline.ts';
import { formatted } from '../../inbox/decide/fields/fieldLook.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import classes from '../runs.module.css';

/** Memory at the moment that is shown, and what each step up to there changed. */
export function MemoryView({
  store,
  nameOf,
  document,
}: {
  store: RunStore;
  nameOf: NodeName;
  document: Pick<GraphDoc, 'state_schema'>;
}) {
  const view = useStore(store, (state) => state.view);
  const steps = view.memorySteps.toReversed();
  return (
    <div className={classes.memory}>
      <section aria-label="Memory now">
        <h2 className={classes.smallTitle}>Memory at event {view.seq}</h2>
        <ValueView
          value={Object.keys(view.memory).length > 0 ? view.memory : undefined}
          empty="Nothing was written yet."
          told={(name, value) => formatted(value, document.state_schema?.properties?.[name])}
        />
      </section>
      <section aria-label="Changes">
        <h2 className={classes.smallTitle}>Changes, latest first</h2>
        {steps.length === 0 ? <p className={classes.quiet}>No step has written yet.</p> : null}
        {steps.map((step) => (
          <div key={step.seq} className={classes.change}>
            <button
              type="button"
              className={classes.linkButton}
              onClick={() => store.getState().scrubTo(step.seq)}
              title={step.key}
            >
              {labelOf(step.key, nameOf)}
            </button>
            <ul>
              {step.changes.length === 0 ? (
                <li className={classes.quiet}>Wrote the same values again</li>
              ) : null}
              {step.changes.map((change) => (
                <li key={change.path}>
                  <span className="gw-mono">{change.path}</span>
                  {change.before === undefined ? null : <del>{brief(change.before, 160)}</del>}
                  {change.after === undefined ? (
                    <ins>removed</ins>
                  ) : (
                    <ins>{brief(change.after, 240)}</ins>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </div>
  );
}
