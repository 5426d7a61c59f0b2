import type { Problem } from '../../api/types/types.ts';
import classes from '../inspector.module.css';
import { Coded } from '../../ui/format/Coded.tsx';
import { Cures } from './Cures.tsx';

/** What mends a node, each button once, under the sentence of what it mends: its field may be out of sight. */
export function NodeCures({ problems }: { problems: readonly Problem[] }) {
  const told = new Set<string>();
  const groups = problems.flatMap((problem) => {
    const fixes = (problem.fixes ?? []).filter(({ label }) => !told.has(label));
    for (const { label } of fixes) told.add(label);
    return fixes.length > 0 ? [{ ...problem, fixes }] : [];
  });
  return (
    <div className={classes.cures}>
      {groups.map((problem) => (
        <div key={problem.fixes[0]?.label} className={classes.cure}>
          <p className={classes.help}>
            <Coded text={problem.say ?? problem.message} />
          </p>
          <Cures problem={problem} />
        </div>
      ))}
    </div>
  );
}
