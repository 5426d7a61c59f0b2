import { useMemo } from 'react';
import type { Cure, Edit, Problem } from '../../../api/types/types.ts';
import { equal } from '../../../graph/document/equal.ts';
import { useTold, worstFirst } from './useProof.ts';

/** A problem as people are told of it: one cause, and each place where it shows. */
export interface Cause extends Problem {
  places?: readonly Problem[];
}

const FIELDS = ['interface', 'inputs', 'properties'];

const declares = ({ part, path }: Edit) =>
  part === 'graph' && path.length === 4 && FIELDS.every((step, at) => path[at] === step);

/** The start field that is read and not declared; null where a problem is about something else. */
const missingField = ({ code, fixes = [] }: Problem): string | null => {
  const edit = fixes.flatMap(({ edits }) => edits).find(declares);
  return code === 'UnknownReference' && edit ? String(edit.path[3]) : null;
};

/** All edits as one list, each once. */
const together = (cures: readonly Cure[]): Edit[] =>
  cures
    .flatMap(({ edits }) => edits)
    .reduce<Edit[]>(
      (all, edit) => (all.some((other) => equal(other, edit)) ? all : [...all, edit]),
      [],
    );

/** What mends a cause at all of its places: cures that are called the same are one. */
function curesOf(places: readonly Problem[]): Cure[] {
  const cures = places.flatMap(({ fixes = [] }) => fixes);
  const labels = [...new Set(cures.map(({ label }) => label))];
  return labels.map((label) => {
    const alike = cures.filter((cure) => cure.label === label);
    return { ...(alike[0] as Cure), edits: together(alike) };
  });
}

const NUMBERS = ['', '', 'both', 'all three', 'all four', 'all five', 'all six'];

/** The cure that declares several start fields at once. */
function addAll(causes: readonly Cause[]): Cure {
  const cures = causes.flatMap(({ fixes = [] }) =>
    fixes.filter((cure) => cure.edits.some(declares)),
  );
  const count = NUMBERS[causes.length] ?? `all ${causes.length}`;
  return { label: `Add ${count} start fields`, edits: together(cures) };
}

/** The problems with one for each start field that is missing; the first also offers to declare all of them. */
export function byCause(problems: readonly Problem[]): readonly Cause[] {
  const places = new Map<string, Problem[]>();
  for (const problem of problems) {
    const name = missingField(problem);
    if (name !== null) places.set(name, [...(places.get(name) ?? []), problem]);
  }
  if (places.size === 0) return problems;
  const causes = new Map(
    [...places].map(([name, alike]): [string, Cause] => {
      const worst = worstFirst(alike)[0] as Problem;
      return [name, { ...worst, fixes: curesOf(alike), places: alike }];
    }),
  );
  const [first] = places.keys();
  const all = places.size > 1 ? [addAll([...causes.values()])] : [];
  return problems.flatMap((problem) => {
    const name = missingField(problem);
    if (name === null) return [problem];
    const cause = causes.get(name);
    if (!cause || places.get(name)?.[0] !== problem) return [];
    return [name === first ? { ...cause, fixes: [...(cause.fixes ?? []), ...all] } : cause];
  });
}

/** What people are told of the draft now, one for each cause. */
export function useCauses(): readonly Cause[] {
  const problems = useTold();
  return useMemo(() => byCause(problems), [problems]);
}
