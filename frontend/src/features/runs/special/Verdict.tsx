import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { score, verdictOf, type VerdictView } from '../../../run/reading/special.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** Whether it passed, by which score, why, and what was looked at. */
export function Verdict({ activation }: SpecialProps) {
  const verdict = verdictOf(activation);
  if (verdict === null) return null;
  return (
    <>
      <div className={classes.verdict} data-passed={verdict.passed}>
        {verdict.passed ? (
          <IconShieldCheck size={22} aria-hidden />
        ) : (
          <IconShieldX size={22} aria-hidden />
        )}
        <b>{verdict.passed ? 'Passed' : 'Did not pass'}</b>
        {verdict.score === null ? null : (
          <span className={classes.rowAside}>
            {score(verdict.score)}
            {verdict.threshold === null ? '' : ` of at least ${score(verdict.threshold)}`}
          </span>
        )}
      </div>
      {verdict.score === null ? null : <Meter verdict={verdict} />}
      {verdict.reasoning ? <p className={classes.reason}>{verdict.reasoning}</p> : null}
      {verdict.hasExtracted ? (
        <div>
          <h3 className={classes.title}>What was found</h3>
          <ValueView value={verdict.extracted} empty="null" />
        </div>
      ) : null}
    </>
  );
}

const percent = (share: number) => `${Math.min(1, Math.max(0, share)) * 100}%`;

function Meter({ verdict }: { verdict: VerdictView }) {
  return (
    <div className={classes.meter} aria-hidden data-passed={verdict.passed}>
      <i style={{ width: percent(verdict.score ?? 0) }} />
      {verdict.threshold === null ? null : <b style={{ left: percent(verdict.threshold) }} />}
    </div>
  );
}
