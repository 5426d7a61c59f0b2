import type { Problem } from '../../../api/types/types.ts';
import type { Records } from '../../../graph/document/document.ts';
import { UNSAID } from '../../../graph/schema/ports.ts';

/** The name of the field in what is said of it: `Fetch needs: Address.`, else `"url" is required.` */
const SAID = /^.* needs: (.+)\.$/s;
const NAMED = /^"([^"]+)" is required\.$/;

const fieldOf = ({ say, message }: Problem) =>
  (say ? SAID.exec(say)?.[1] : undefined) ?? NAMED.exec(message)?.[1] ?? say ?? message;

/** What a node or a wire lacks that nobody has left yet; null where it is complete, or something else is wrong. */
function needOf(
  problem: Problem,
  untouched: ReadonlySet<string>,
  { edges }: Pick<Records, 'edges'>,
): string | null {
  const { code, node, edge } = problem;
  if (code === 'MissingField' && node && untouched.has(node)) return fieldOf(problem);
  const unsaid = edge && untouched.has(edge) && edges.get(edge)?.condition === UNSAID;
  return code === 'ExpressionInvalid' && unsaid ? 'when it is taken' : null;
}

/** The problems of a draft, in which what is lacking that nobody has left yet is told quietly: as a hint. */
export function quieted(
  problems: readonly Problem[],
  untouched: ReadonlySet<string>,
  records: Pick<Records, 'edges'>,
): readonly Problem[] {
  if (untouched.size === 0) return problems;
  return problems.map((problem) => {
    const need = needOf(problem, untouched, records);
    return need === null ? problem : { ...problem, severity: 'hint', say: `Needs: ${need}` };
  });
}

/** Whether something is told as a need that stands in the way of a version all the same. */
export const isNeed = ({ code, severity }: Problem): boolean =>
  (code === 'MissingField' || code === 'ExpressionInvalid') && severity === 'hint';
