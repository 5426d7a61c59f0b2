import type { GraphDoc, ViewInfo } from '../../../api/types/types.ts';
import type { ActivationView, RunView } from '../../../run/fold/model.ts';
import { stoppedBy } from '../../../run/reading/special.ts';
import { ChildRuns } from './ChildRuns.tsx';
import { Decisions } from './Decisions.tsx';
import { Facts } from './Facts.tsx';
import { Generations } from './Generations.tsx';
import { Items } from './Items.tsx';
import { Scores } from './Scores.tsx';
import classes from './special.module.css';
import { Verdict } from './Verdict.tsx';
import { Votes } from './Votes.tsx';

export interface SpecialProps {
  view: RunView;
  activation: ActivationView;
  document: GraphDoc;
  now: number;
  /** Show another activation of the run. */
  onKey: (key: string) => void;
}

const KINDS = {
  items: Items,
  decisions: Decisions,
  votes: Votes,
  generations: Generations,
  scores: Scores,
  verdict: Verdict,
  facts: Facts,
  child_run: ChildRuns,
} as const;

/** What is special to a node type, drawn by the kind of view that the server names. */
export function SpecialView({ info, ...props }: SpecialProps & { info: ViewInfo }) {
  const Kind = KINDS[info.kind];
  const stopped = stoppedBy(props.activation);
  return (
    <section className={classes.special} aria-label={info.title}>
      <Kind {...props} />
      {stopped ? <p className={classes.stopped}>{stopped}</p> : null}
    </section>
  );
}
