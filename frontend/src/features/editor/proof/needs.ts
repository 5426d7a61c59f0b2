import type { Problem } from '../../../api/types/types.ts';

/** The name of the field in what is said of it: `Fetch needs: Address.`, else `"url" is required.` */
const SAID = /^.* needs: (.+)\.$/s;
const NAMED = /^"([^"]+)" is required\.$/;

const fieldOf = ({ say, message }: Problem) =>
  (say ? SAID.exec(say)?.[1] : undefined) ?? NAMED.exec(message)?.[1] ?? say ?? message;

/** The problems of a draft, in which what a node lacks that nobody has left yet is told quietly: as a hint. */
export function quieted(
  problems: readonly Problem[],
  untouched: ReadonlySet<string>,
): readonly Problem[] {
  if (untouched.size === 0) return problems;
  return problems.map((problem) =>
    problem.code === 'MissingField' && problem.node && untouched.has(problem.node)
      ? { ...problem, severity: 'hint', say: `Needs: ${fieldOf(problem)}` }
      : problem,
  );
}

/** Whether something is told as a need that stands in the way of a version all the same. */
export const isNeed = ({ code, severity }: Problem): boolean =>
  code === 'MissingField' && severity === 'hint';
