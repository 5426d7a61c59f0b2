import type { Problem } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { useUntouched } from '../../../../store/untouched.ts';
import { byCause } from '../../proof/byCause.ts';
import { quieted } from '../../proof/needs.ts';
import { told, worstFirst } from '../../proof/useProof.ts';

/** The problems as the panel lists them: worst first, one for each cause, what a new node lacks as a hint. */
export function shownProblems(): Problem[] {
  const { problems, records } = useEditor.getState();
  const found = told(quieted(problems, useUntouched.getState().ids, records), records);
  return worstFirst(byCause(found));
}

let last = { graph: '', key: '', at: -1 };

const keyOf = ({ code, path, node, edge, message }: Problem) =>
  JSON.stringify([code, path, node, edge, message]);

/** Where the problem that was looked at last stands now: of several that say the same, the one in its place. */
function lastSeen(problems: readonly Problem[]): number {
  const isLast = (each: Problem | undefined) => each !== undefined && keyOf(each) === last.key;
  return isLast(problems[last.at]) ? last.at : problems.findIndex(isLast);
}

/** The problem after the one that was looked at last; where that one is mended, the one that took its place. */
export function nextProblem(): Problem | undefined {
  const problems = shownProblems();
  const graph = useEditor.getState().graphId;
  const seen = last.graph === graph ? lastSeen(problems) : -1;
  const gone = last.graph === graph && seen < 0 ? Math.max(last.at, 0) : seen + 1;
  const at = gone % Math.max(problems.length, 1);
  const problem = problems[at];
  if (problem) last = { graph, key: keyOf(problem), at };
  return problem;
}
