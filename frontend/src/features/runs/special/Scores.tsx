import { IconTrophy } from '@tabler/icons-react';
import { useState } from 'react';
import { score, scoresOf } from '../../../run/reading/special.ts';
import { LineChart } from './LineChart.tsx';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** The score of each pass with its temperature; the best one is the result. */
export function Scores({ activation }: SpecialProps) {
  const passes = scoresOf(activation);
  const [chosen, setChosen] = useState<number | null>(null);
  const picked = Math.min(chosen ?? passes.length - 1, passes.length - 1);
  const shown = passes[picked];
  const advised = passes.some((each) => each.feedback);
  if (shown === undefined) return null;
  return (
    <>
      <LineChart
        label={`Scores of ${passes.length} passes`}
        xTitle="pass"
        threshold={shown.threshold}
        picked={picked}
        onPick={setChosen}
        series={[{ name: 'score', tone: 'accent', values: passes.map((each) => each.score) }]}
        marks={passes.map((each) => String(each.pass + 1))}
        hints={passes.map(
          (each) =>
            `Pass ${each.pass + 1}: score ${score(each.score)} at temperature ${score(each.temperature)}`,
        )}
      />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Pass</th>
            <th scope="col" className={classes.figure}>
              Temp.
            </th>
            <th scope="col" className={classes.figure}>
              Score
            </th>
            {advised ? <th scope="col">What would be better</th> : null}
          </tr>
        </thead>
        <tbody>
          {passes.map((each, place) => (
            <tr key={each.pass} aria-current={place === picked || undefined}>
              <th scope="row">{each.pass + 1}</th>
              <td className={classes.figure}>{score(each.temperature)}</td>
              <td className={classes.figure}>
                {each.best ? (
                  <span className={classes.best}>
                    <IconTrophy size={13} role="img" aria-label="Best" />
                    {score(each.score)}
                  </span>
                ) : (
                  score(each.score)
                )}
              </td>
              {advised ? <td>{each.feedback}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
