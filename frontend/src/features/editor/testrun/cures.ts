/** What can be done at once about a problem that stops a run. */

import type { Cure, Problem } from '../../../api/types/types.ts';
import { cured } from '../../../graph/editing/cures.ts';
import { useEditor } from '../../../store/editor.ts';

/** A change of the draft that takes the cause away, and what it is called. */
export interface RunCure {
  words: string;
  /** What the cause is. */
  why: string;
  apply: () => void;
  /** It adds something to enter: a run goes on with its old input, and would lack it again. */
  asks: boolean;
}

/** Whether a cure gives the start another field. */
const asks = ({ edits }: Cure) =>
  edits.some(({ part, path }) => part === 'graph' && path[0] === 'interface');

/** Whether a cure changes the draft, and is no way to another page. */
const mends = (cure: Cure) => cure.edits.length > 0;

/** The first cure of each of these problems, as one undo step; null where one of them has none. */
export function cureOf(problems: readonly Problem[]): RunCure | null {
  const cures = problems.flatMap(({ fixes = [] }) => fixes.filter(mends).slice(0, 1));
  if (cures.length === 0 || cures.length < problems.length || !useEditor.getState().can.edit)
    return null;
  const words = [...new Set(cures.map(({ label }) => label))].join(', ');
  const apply = () =>
    useEditor.getState().gesture(words, (records) => cures.reduce(cured, records));
  const why = problems[0]?.say ?? problems[0]?.message ?? '';
  return { words, why, apply, asks: cures.some(asks) };
}

/** The problems of the draft at a node that have a cure. */
export const curable = (problems: readonly Problem[], node: string): Problem[] =>
  problems.filter(
    ({ fixes = [], severity, ...problem }) =>
      fixes.some(mends) && problem.node === node && severity !== 'hint',
  );
