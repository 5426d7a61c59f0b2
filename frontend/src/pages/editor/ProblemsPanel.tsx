import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconBulb, IconCircleCheck, IconX } from '@tabler/icons-react';
import type { Problem, Severity } from '../../api/types.ts';
import canvas from '../../canvas/canvas.module.css';
import { useEditor } from '../../store/editor.ts';
import classes from './editor.module.css';

const looks = {
  error: { icon: IconAlertCircle, tone: 'red', word: 'Error' },
  warning: { icon: IconAlertTriangle, tone: 'amber', word: 'Warning' },
  hint: { icon: IconBulb, tone: 'grey', word: 'Hint' },
} as const;
const order: Severity[] = ['error', 'warning', 'hint'];

function Row({ problem, onJump }: { problem: Problem; onJump: (problem: Problem) => void }) {
  const { icon: Glyph, tone, word } = looks[problem.severity];
  const label = useEditor((state) => (problem.node ? (state.records.nodes.get(problem.node)?.label ?? problem.node) : problem.edge ? 'Edge' : 'Graph'));
  return (
    <UnstyledButton className={classes.problem} onClick={() => onJump(problem)}>
      <span data-tone={tone} className={classes.tone}><Glyph size={15} stroke={1.9} role="img" aria-label={word} /></span>
      <span className={classes.problemWords}>
        <span><strong>{label}</strong> {problem.message}</span>
        <span className={`${classes.problemPath} gw-mono gw-truncate`}>{problem.code}{problem.path ? ` · ${problem.path}` : ''}</span>
      </span>
    </UnstyledButton>
  );
}

/** Everything that is wrong with the draft, worst first; a click goes to the place. */
export function ProblemsPanel({ onJump, onClose }: { onJump: (problem: Problem) => void; onClose: () => void }) {
  const problems = useEditor((state) => state.problems);
  const sorted = problems.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return (
    <section className={`${canvas.panel} ${classes.problems}`} aria-label="Problems">
      <header className={classes.problemsHead}>
        <h2>Problems</h2>
        <span className={classes.gap} />
        <ActionIcon size="sm" aria-label="Close problems" onClick={onClose}><IconX size={15} /></ActionIcon>
      </header>
      <div className={classes.problemList}>
        {sorted.map((problem, index) => <Row key={`${problem.code}${problem.path}${index}`} problem={problem} onJump={onJump} />)}
        {sorted.length === 0 ? <p className={classes.fine}><IconCircleCheck size={16} aria-hidden /> Nothing wrong. This can be published.</p> : null}
      </div>
    </section>
  );
}
