import { Button } from '@mantine/core';
import type { Problem } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { cureOf } from '../cures.ts';
import { startTest, useTesting } from '../testing.ts';
import classes from '../testrun.module.css';

const SHOWN = 3;

/** Why a run was not started, and the cure where there is one. */
export function Refused() {
  const refusal = useTesting((state) => state.refusal);
  const blocks = useTesting((state) => state.blocks);
  if (!refusal) return null;
  const cure = cureOf(blocks);
  const run = () => {
    cure?.apply();
    void startTest();
  };
  return (
    <div className={classes.refusal} role="alert">
      <p>{refusal}</p>
      {blocks.length > 0 ? (
        <ul>
          {blocks.slice(0, SHOWN).map((problem) => (
            <Block key={`${problem.path} ${problem.message}`} problem={problem} />
          ))}
          {blocks.length > SHOWN ? (
            <li>and {blocks.length - SHOWN} more, in the problems</li>
          ) : null}
        </ul>
      ) : null}
      {cure ? (
        <Button size="xs" variant="light" onClick={run}>
          {cure.words} and run
        </Button>
      ) : null}
    </div>
  );
}

/** What is wrong, and at which card. */
function Block({ problem: { node, say, message } }: { problem: Problem }) {
  const label = useEditor((state) => node && (state.records.nodes.get(node)?.label || node));
  return (
    <li>
      {label ? <strong>{label}: </strong> : null}
      {say ?? message}
    </li>
  );
}
