import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { RunFilter } from '../../../api/http/lists.ts';

export const NEWEST = '-started';
const HOUR = 3_600_000;

/** What an address says of a list of runs; every figure that counts runs leads to such an address. */
export const choiceNames = [
  'graph',
  'status',
  'hours',
  'since',
  'until',
  'ended_since',
  'ended_until',
  'search',
  'node',
  'cause',
  'person',
  'waiting',
  'job',
  'spent',
  'slug',
  'code',
  'tag',
  'source',
  'trigger',
  'worker',
  'tried',
  'awake',
  'asleep',
  'rejected',
  'spent_since',
  'spent_until',
  'spent_at',
  'spent_on',
  'spent_by',
  'unpriced',
  'tests',
] as const;
type ChoiceName = (typeof choiceNames)[number];
export type RunChoice = Partial<Record<ChoiceName, string>> & { ordering: string };
export type ChoiceChange = Partial<Record<ChoiceName | 'ordering', string | null>>;

/** Rounded to the minute, so that the same choice stays the same question. */
function sinceOf(hours: string, now: number): string {
  return new Date(Math.floor((now - Number(hours) * HOUR) / 60_000) * 60_000).toISOString();
}

/**
 * The choice as the server takes it: the last hours as a moment, and without what sleeps where it says
 * running, and what people rejected where it says failed.
 */
export function filterOf({ hours, ordering, ...rest }: RunChoice, now: number): RunFilter {
  return {
    ...rest,
    ...(rest.status === 'running' ? { awake: 'true' } : {}),
    ...(rest.status?.split(',').includes('failed') ? { rejected: 'false' } : {}),
    ...(hours ? { since: sinceOf(hours, now) } : {}),
    ...(ordering === NEWEST ? {} : { ordering }),
  };
}

/** The one status that is chosen, as it is called on the screen; null for any and for several. */
export function chosenStatus({ status, asleep, rejected }: RunChoice): string | null {
  if (asleep) return 'asleep';
  if (rejected === 'true') return 'rejected';
  return status?.includes(',') ? null : (status ?? null);
}

export const chooseStatus = (status: string | null): ChoiceChange => ({
  status: status === 'asleep' || status === 'rejected' ? null : status,
  asleep: status === 'asleep' ? 'true' : null,
  rejected: status === 'rejected' ? 'true' : null,
});

/** What the address chooses, and how to change it. */
export function useRunChoice(): [RunChoice, (part: ChoiceChange) => void] {
  const [params, setParams] = useSearchParams();
  const search = params.toString();
  const choice = useMemo<RunChoice>(() => {
    const given = new URLSearchParams(search);
    const found: RunChoice = { ordering: given.get('ordering') ?? NEWEST };
    for (const name of choiceNames) {
      const value = given.get(name);
      if (value) found[name] = value;
    }
    return found;
  }, [search]);
  const change = (part: ChoiceChange) => {
    // the address as it is, not as it was drawn: of two quick changes the later would undo the first
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(part)) {
      if (value && value !== NEWEST) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true });
  };
  return [choice, change];
}
