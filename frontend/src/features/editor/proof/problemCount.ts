import type { Problem } from '../../../api/types/types.ts';

export interface ProblemCounts {
  errors: number;
  warnings: number;
  /** Those that ask for words for people left out: most nodes have one for long. */
  hints: number;
  /** All of it in words. */
  label: string;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** How many problems there are of each kind, and what is said of them. */
export function countsOf(problems: readonly Problem[]): ProblemCounts {
  const of = (severity: Problem['severity']) =>
    problems.filter(
      (problem) => problem.severity === severity && problem.code !== 'NoHumanDescription',
    ).length;
  const [errors, warnings, hints] = [of('error'), of('warning'), of('hint')];
  const label = [
    errors + warnings === 0
      ? 'No problems'
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    ...(hints > 0 ? [counted(hints, 'hint')] : []),
  ].join(', ');
  return { errors, warnings, hints, label };
}
