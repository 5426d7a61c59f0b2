import type { Interrupt, Json } from '../../../../api/types/types.ts';
import { isObject, sameJson } from '../../../../run/values/json.ts';

/** Whether an item shows nothing but its question. */
export const showsNothing = ({ kind, request }: Interrupt): boolean =>
  kind === 'approval' && (!isObject(request.data) || Object.keys(request.data).length === 0);

const isNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether there is something that the run started with, and the item does not show all of it. */
export function isStartHidden({ request }: Interrupt, input: Json | undefined): boolean {
  if (isNothing(input)) return false;
  const shown = isObject(request.data) ? request.data : {};
  if ('input' in shown) return false;
  if (!isObject(input))
    return !Object.values(shown).some((value) => sameJson(value, input ?? null));
  return !Object.entries(input).every(
    ([name, value]) => `input.${name}` in shown || sameJson(shown[name], value),
  );
}
