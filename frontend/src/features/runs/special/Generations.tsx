import { useState } from 'react';
import { type GenerationView, generationsOf, score } from '../../../run/reading/special.ts';
import { LineChart } from './LineChart.tsx';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

const hint = (each: GenerationView) =>
  `Generation ${each.generation + 1}: best ${score(each.best)}, mean ${score(each.mean)}`;

/** Fitness over the generations, and the best candidates of the one that is picked. */
export function Generations({ activation }: SpecialProps) {
  const generations = generationsOf(activation);
  const [chosen, setChosen] = useState<number | null>(null);
  const picked = Math.min(chosen ?? generations.length - 1, generations.length - 1);
  const shown = generations[picked];
  if (shown === undefined) return null;
  return (
    <>
      <LineChart
        label={`Fitness over ${generations.length} generations`}
        xTitle="generation"
        threshold={shown.threshold}
        picked={picked}
        onPick={setChosen}
        series={[
          { name: 'best fitness', tone: 'accent', values: generations.map((each) => each.best) },
          { name: 'mean', tone: 'quiet', values: generations.map((each) => each.mean) },
        ]}
        marks={generations.map((each) => String(each.generation + 1))}
        hints={generations.map(hint)}
      />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Generation</th>
            <th scope="col" className={classes.figure}>
              Best
            </th>
            <th scope="col" className={classes.figure}>
              Mean
            </th>
            <th scope="col" className={classes.figure}>
              Alive
            </th>
            <th scope="col" className={classes.figure}>
              Temp.
            </th>
          </tr>
        </thead>
        <tbody>
          {generations.map((each, place) => (
            <tr key={each.generation} aria-current={place === picked || undefined}>
              <th scope="row">
                <button type="button" className={classes.link} onClick={() => setChosen(place)}>
                  {each.generation + 1}
                </button>
              </th>
              <td className={classes.figure}>{score(each.best)}</td>
              <td className={classes.figure}>{score(each.mean)}</td>
              <td className={classes.figure}>
                {each.count}
                {each.failed > 0 ? (
                  <span className={classes.failed}> +{each.failed} failed</span>
                ) : null}
              </td>
              <td className={classes.figure}>{score(each.temperature)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Candidates generation={shown} />
    </>
  );
}

function Candidates({ generation }: { generation: GenerationView }) {
  if (generation.top.length === 0)
    return (
      <p className={classes.quiet}>
        No candidate of generation {generation.generation + 1} could be scored.
      </p>
    );
  return (
    <>
      <h3 className={classes.title}>Best of generation {generation.generation + 1}</h3>
      <ol className={classes.candidates}>
        {generation.top.map((each, place) => (
          <li key={place}>
            <span className={classes.fitness}>{score(each.fitness)}</span>
            <div>
              <p>{each.text}</p>
              {each.reasoning ? <p className={classes.rowSub}>{each.reasoning}</p> : null}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
