import type { Problem } from '../../api/types/types.ts';

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The worst that is marked on a card; hints are no marks. */
export const worstOf = (problems: readonly Problem[] | undefined): 'error' | 'warning' | null =>
  (['error', 'warning'] as const).find((severity) =>
    problems?.some((problem) => problem.severity === severity),
  ) ?? null;

/** How many errors, warnings and hints there are, each in words; none where there are none. */
export const problemWords = (problems: readonly Problem[] = []): string[] =>
  (['error', 'warning', 'hint'] as const).flatMap((severity) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count > 0 ? [counted(count, severity)] : [];
  });
