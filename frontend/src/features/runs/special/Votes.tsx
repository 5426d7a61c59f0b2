import { IconAlertTriangle, IconCheck, IconScale } from '@tabler/icons-react';
import { brief, type Json } from '../../../run/values/json.ts';
import { votesOf, type VotesView } from '../../../run/reading/special.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** The consensus, how the votes were counted, and who voted what. */
export function Votes({ activation }: SpecialProps) {
  const { votes, tally, winner, strategy, tie } = votesOf(activation);
  return (
    <>
      {winner === undefined ? (
        <p className={classes.quiet}>
          {votes.length === 1 ? 'One voter has answered.' : `${votes.length} voters have answered.`}
        </p>
      ) : (
        <div className={classes.outcome}>
          <span className={classes.outcomeHead}>
            <IconCheck size={15} aria-hidden /> Consensus
            {strategy ? (
              <span className={classes.rowAside}>by {strategy.replaceAll('_', ' ')}</span>
            ) : null}
          </span>
          <ValueView value={winner} />
        </div>
      )}
      {tie ? (
        <p className={classes.tie}>
          <IconScale size={14} aria-hidden />
          <span>{tieText(tie, tally[0])}</span>
        </p>
      ) : null}
      {tally.length > 0 ? <Tally tally={tally} /> : null}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Voter</th>
            <th scope="col">Vote</th>
          </tr>
        </thead>
        <tbody>
          {votes.map((each, place) => (
            <tr key={place}>
              <th scope="row">{each.voter}</th>
              <td>
                {each.error === null ? (
                  <Vote value={each.vote} />
                ) : (
                  <span className={classes.failed}>
                    <IconAlertTriangle size={13} aria-hidden /> No vote: {each.error}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** That it was a tie, between what, and what was done about it. */
function tieText(
  { between, brokenBy }: NonNullable<VotesView['tie']>,
  first: VotesView['tally'][number] | undefined,
): string {
  const named = between.map((vote) => brief(vote, 60));
  const tied = `A tie between ${named.slice(0, -1).join(', ')} and ${named.at(-1)}, with ${first?.weight ?? 0} each.`;
  return brokenBy === 'judge'
    ? `${tied} The judge decided.`
    : `${tied} ${brief(first?.vote, 60)} won: of these voters, ${first?.voters[0] ?? ''} stands first in the list.`;
}

function Vote({ value }: { value: Json | undefined }) {
  return typeof value === 'object' && value !== null ? (
    <ValueView value={value} />
  ) : (
    <>{brief(value, 200)}</>
  );
}

function Tally({ tally }: { tally: VotesView['tally'] }) {
  const most = Math.max(...tally.map((each) => each.weight), 1);
  return (
    <ul className={classes.tally} aria-label="Count">
      {tally.map((each, place) => (
        <li key={place} data-won={each.won || undefined} title={each.voters.join(', ')}>
          <span className={classes.tallyName}>
            {each.won ? <IconCheck size={13} role="img" aria-label="Won" /> : null}
            <span className="gw-truncate">{brief(each.vote, 80)}</span>
          </span>
          <span className={classes.tallyBar} aria-hidden>
            <i style={{ width: `${(each.weight / most) * 100}%` }} />
          </span>
          <span className={classes.tallyCount}>{each.weight}</span>
        </li>
      ))}
    </ul>
  );
}
