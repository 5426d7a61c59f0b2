import { Tooltip } from '@mantine/core';
import type { StepView } from '../../../run/fold/model.ts';
import { formatDuration, formatUsd } from '../../../ui/format/format.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import { exchangeOf, HttpExchange } from '../../../liverun/HttpExchange.tsx';
import classes from '../runs.module.css';
import { ValueView } from '../../../liverun/ValueView.tsx';

const EFFECTS: Record<string, string> = {
  pure: 'No effect; evaluated again after a crash',
  read: 'Only looks; made again after a crash',
  llm: 'A model call; an unknown one counts as spent',
  keyed: 'The other side knows our key; sent again with the same key',
  probe: 'Looked up by our key before it is repeated',
  unsafe: 'Never repeated without a person',
};

function isCut(step: StepView): boolean {
  const { result } = step;
  return (
    step.kind === 'model' &&
    typeof result === 'object' &&
    result !== null &&
    'finish_reason' in result &&
    result.finish_reason === 'length'
  );
}

function Exchange({ step }: { step: StepView }) {
  const exchange = exchangeOf(step.error?.detail);
  return exchange ? <HttpExchange {...exchange} /> : null;
}

/** The journaled calls of an activation. */
export function StepList({ steps }: { steps: readonly StepView[] }) {
  if (steps.length === 0) return <p className={classes.quiet}>This activation made no calls.</p>;
  return (
    <ol className={classes.steps} aria-label="Calls">
      {steps.map((step) => (
        <li key={`${step.path}:${step.attempt}:${step.seq}`}>
          <details>
            <summary>
              <StatusIcon status={step.status} size={13} />
              <b className="gw-truncate">{step.tool ?? step.kind}</b>
              {step.effectClass ? (
                <Tooltip label={EFFECTS[step.effectClass] ?? step.effectClass}>
                  <span className={classes.chip}>{step.effectClass}</span>
                </Tooltip>
              ) : null}
              {isCut(step) ? (
                <Tooltip label="The answer ended at the agent's max_output_tokens, not by itself">
                  <span className={classes.chip} data-cut>
                    cut
                  </span>
                </Tooltip>
              ) : null}
              <span className={classes.turnAside}>
                {step.endedAt === null
                  ? step.hold?.usd
                    ? `holds ${formatUsd(step.hold.usd)}`
                    : 'under way'
                  : formatDuration(step.endedAt - step.startedAt)}
              </span>
            </summary>
            <div className={classes.toolPart}>
              <span>step</span>
              <span className="gw-mono">
                {step.path}, attempt {step.attempt}
              </span>
            </div>
            <div className={classes.toolPart}>
              <span>request</span>
              <ValueView value={step.arguments ?? step.request} />
            </div>
            {step.status === 'completed' ? (
              <div className={classes.toolPart}>
                <span>result</span>
                <ValueView value={step.result} />
              </div>
            ) : null}
            {step.error ? (
              <div className={classes.toolPart} data-failed>
                <span>error</span>
                <div>
                  <p>{step.error.message}</p>
                  <Exchange step={step} />
                </div>
              </div>
            ) : null}
          </details>
        </li>
      ))}
    </ol>
  );
}
