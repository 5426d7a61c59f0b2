import type { Models } from '../../../../api/types/types.ts';

/** How many calls may be under way at once, by provider or by `provider/model`. */
export type CallLimits = Readonly<Record<string, number>>;

/** What may be limited: each provider with all its models, then each model. */
export function limitable(models: Models): { value: string; label: string }[] {
  const providers = models.providers.map(({ id, label }) => ({
    value: id,
    label: `${label}, all its models`,
  }));
  const known = models.models.map(({ id }) => ({ value: id, label: id }));
  return [...providers, ...known].filter(
    ({ value }, place, all) => all.findIndex((each) => each.value === value) === place,
  );
}

/** The limits in the order in which they are read: a provider before its models. */
export const inOrder = (limits: CallLimits): [string, number][] =>
  Object.entries(limits).sort(([a], [b]) => a.localeCompare(b, 'en'));

/** What a limit is called. */
export const nameOf = (models: Models, name: string): string =>
  limitable(models).find(({ value }) => value === name)?.label ?? name;

/** The limits without one of them. */
export const without = (limits: CallLimits, name: string): CallLimits =>
  Object.fromEntries(Object.entries(limits).filter(([each]) => each !== name));
