import { IconFlagCheck } from '@tabler/icons-react';
import { decisionsOf } from '../../../run/reading/special.ts';
import { inWords } from '../../../run/values/json.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import { nodeLabel } from '../views/canvasViews.ts';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** Who was chosen and why, in order; each choice leads to what came of it. */
export function Decisions({ view, activation, document, onKey }: SpecialProps) {
  return (
    <ol className={classes.decisions} aria-label="Decisions">
      {decisionsOf(view, activation).map(({ choice, reason, by, child }, place) => {
        const key = child?.key;
        const name = choice === null ? 'Done' : nodeLabel(document, choice);
        return (
          <li key={place}>
            <span className={classes.decisionMark}>
              {choice === null ? (
                <IconFlagCheck size={15} aria-hidden />
              ) : (
                <StatusIcon status={child?.status ?? 'queued'} size={15} />
              )}
            </span>
            <div>
              <div className={classes.decisionHead}>
                <span className={classes.place}>{place + 1}</span>
                {key === undefined ? (
                  <b>{name}</b>
                ) : (
                  <button type="button" className={classes.link} onClick={() => onKey(key)}>
                    {name}
                  </button>
                )}
                {by && by !== activation.node ? (
                  <span className={classes.rowAside}>from {nodeLabel(document, by)}</span>
                ) : null}
              </div>
              {reason ? <p>{reason}</p> : null}
              {child?.error ? (
                <p data-failed>{child.error}</p>
              ) : child?.output === undefined ? null : (
                <p className={classes.rowSub}>{inWords(child.output, 140)}</p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
