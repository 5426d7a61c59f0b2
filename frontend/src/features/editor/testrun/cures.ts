/** What can be done at once about a problem that stops a run. */

import type { Problem } from '../../../api/types/types.ts';
import { allowReading } from '../../../graph/editing/operations.ts';
import { useEditor } from '../../../store/editor.ts';

/** A change of the draft that takes the cause away, and what it is called. */
export interface Cure {
  words: string;
  /** What the cause is. */
  why: string;
  apply: () => void;
}

/** The one cure of all these problems, as one undo step; null where one of them has none. */
export function cureOf(problems: readonly Problem[]): Cure | null {
  const fixes = problems.flatMap(({ fix }) => (fix ? [fix] : []));
  if (fixes.length === 0 || fixes.length < problems.length || !useEditor.getState().can.edit)
    return null;
  const keys = [...new Set(fixes.map(({ key }) => key))];
  const words = `Allow reading ${keys.join(', ')}`;
  const apply = () =>
    useEditor
      .getState()
      .gesture(words, (records) =>
        fixes.reduce((changed, { node, key }) => allowReading(changed, node, key), records),
      );
  return { words, why: `This node is not allowed to read ${keys.join(', ')}.`, apply };
}

/** The errors of the draft at a node that have a cure. */
export const curable = (problems: readonly Problem[], node: string): Problem[] =>
  problems.filter(({ fix, severity }) => fix?.node === node && severity !== 'hint');
