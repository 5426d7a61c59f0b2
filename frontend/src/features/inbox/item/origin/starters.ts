import type { Interrupt } from '../../../../api/types/types.ts';

export interface Choice {
  value: string;
  label: string;
}
interface Known {
  id: string;
  name: string;
  graph: { name: string };
}
type Started = { run: Pick<Interrupt['run'], 'trigger' | 'graph'> };

const TRIGGER = 'trigger:';

/**
 * The triggers to choose from: those of the listed items and of the chosen workflow, by workflow and name.
 * The one that is chosen is offered also when nothing of it is left.
 */
export function triggersIn(
  rows: readonly Started[],
  ofWorkflow: readonly Known[],
  chosen: string | undefined,
): Choice[] {
  const found = new Map<string, string>();
  const add = (id: string, name: string, workflow: string) => {
    found.set(id, name === '' ? `${workflow}: one that is gone` : `${workflow}: ${name}`);
  };
  for (const { run } of rows)
    if (run.trigger) add(run.trigger.id, run.trigger.name, run.graph.name);
  for (const { id, name, graph } of ofWorkflow) add(id, name, graph.name);
  if (chosen !== undefined && !found.has(chosen)) found.set(chosen, 'The chosen trigger');
  return [...found]
    .map(([id, label]) => ({ value: `${TRIGGER}${id}`, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** Which choice the filter stands on. */
export const startedBy = (filter: { starter?: string; trigger?: string }): string | null =>
  filter.trigger === undefined ? (filter.starter ?? null) : `${TRIGGER}${filter.trigger}`;

/** What a choice narrows to: a person, a trigger, or neither. */
export function narrowedTo(choice: string | null): Record<'starter' | 'trigger', string | null> {
  if (choice?.startsWith(TRIGGER)) return { starter: null, trigger: choice.slice(TRIGGER.length) };
  return { starter: choice, trigger: null };
}
