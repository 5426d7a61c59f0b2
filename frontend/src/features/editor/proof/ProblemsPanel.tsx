import { ActionIcon, Button, UnstyledButton } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBulb,
  IconCircleCheck,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import type { Problem } from '../../../api/types/types.ts';
import canvas from '../../../canvas/canvas.module.css';
import { Cures } from '../../../inspector/cures/Cures.tsx';
import type { Records } from '../../../graph/document/document.ts';
import { placeInside } from '../../../inspector/focus.ts';
import { useEditor } from '../../../store/editor.ts';
import classes from '../editor.module.css';
import { Coded } from '../../../ui/format/Coded.tsx';
import { asOne, type Row } from './asOne.ts';
import { useCauses } from './byCause.ts';
import { isNeed } from './needs.ts';
import { worstFirst } from './useProof.ts';

const looks = {
  error: { icon: IconAlertCircle, tone: 'red', word: 'Error' },
  warning: { icon: IconAlertTriangle, tone: 'amber', word: 'Warning' },
  hint: { icon: IconBulb, tone: 'grey', word: 'Hint' },
} as const;

function ProblemRow({
  row: { problem, count },
  onJump,
}: {
  row: Row;
  onJump: (problem: Problem) => void;
}) {
  const { icon: Glyph, tone, word } = looks[problem.severity];
  const places = problem.places && problem.places.length > 1 ? problem.places : null;
  const at = useEditor(({ records }) => nameOf(records, problem));
  const label = places ? 'Start' : at;
  const place = problem.node || problem.edge ? placeInside(problem.path) : problem.path;
  return (
    <>
      <UnstyledButton
        className={classes.problem}
        data-row
        data-code={problem.code}
        title={[problem.code, place].filter(Boolean).join(' · ')}
        onClick={() => onJump(problem)}
      >
        <span data-tone={tone} className={classes.tone}>
          <Glyph size={15} stroke={1.9} role="img" aria-label={word} />
        </span>
        <span className={classes.problemWords}>
          <span>
            {count > 1 ? (
              <>
                <strong>{count} nodes</strong> say nothing in plain words for people who watch a
                run. A click leads to the first.
              </>
            ) : (
              <>
                <strong>{label}</strong> <Coded text={problem.say ?? problem.message} />
              </>
            )}
          </span>
        </span>
      </UnstyledButton>
      {places ? <Places places={places} onJump={onJump} /> : null}
      {problem.fixes?.length ? (
        <div className={classes.problemFix}>
          <Cures problem={problem} />
        </div>
      ) : null}
    </>
  );
}

/** What people call the place of a problem. */
const nameOf = ({ nodes }: Pick<Records, 'nodes'>, { node, edge }: Problem): string =>
  node ? nodes.get(node)?.label || node : edge ? 'Wire' : 'Workflow';

/** Where one cause shows: each name leads there. */
function Places({
  places,
  onJump,
}: {
  places: readonly Problem[];
  onJump: (problem: Problem) => void;
}) {
  const records = useEditor((state) => state.records);
  const named = new Map(places.map((place) => [place.node ?? place.edge ?? '', place]));
  return (
    <div className={classes.problemPlaces}>
      Read in{' '}
      {[...named].map(([id, place]) => (
        <Button key={id} size="compact-xs" variant="subtle" onClick={() => onJump(place)}>
          {nameOf(records, place)}
        </Button>
      ))}
    </div>
  );
}

/** Up and Down walk the rows. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)];
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}

/** Everything that is wrong with the draft, worst first; a row leads to the node and the field. */
export function ProblemsPanel({
  onJump,
  onClose,
  children,
}: {
  onJump: (problem: Problem) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const problems = useCauses();
  const empty = useEditor((state) => state.records.nodes.size === 0);
  const sorted = useMemo(() => worstFirst(problems), [problems]);
  const wrong = sorted.filter((problem) => problem.severity !== 'hint');
  const hints = sorted.slice(wrong.length);
  const row = (each: Row, index: number) => (
    <ProblemRow
      key={`${each.problem.code}${each.problem.path}${index}`}
      row={each}
      onJump={onJump}
    />
  );
  return (
    <section
      className={`${canvas.panel} ${classes.problems}`}
      aria-label="Problems"
      data-region="problems"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return walk(event);
        event.preventDefault();
        onClose();
      }}
    >
      <header className={classes.problemsHead}>
        <h2>Problems</h2>
        <span className={classes.gap} />
        <ActionIcon size="sm" aria-label="Close problems" onClick={onClose}>
          <IconX size={15} />
        </ActionIcon>
      </header>
      <div className={classes.problemList}>
        {asOne(wrong).map(row)}
        {wrong.length === 0 ? (
          <p className={classes.fine}>
            <IconCircleCheck size={16} aria-hidden />{' '}
            {empty
              ? 'Nothing here yet. Add a node.'
              : hints.some(isNeed)
                ? 'Nothing wrong so far. The new node is not finished.'
                : 'Nothing wrong. This can be published.'}
          </p>
        ) : null}
        {children}
        {hints.length > 0 ? <div className={classes.proof}>{asOne(hints).map(row)}</div> : null}
      </div>
    </section>
  );
}
