import type { JsonSchema } from '../../../api/types/types.ts';
import { type EditedValue, leavesOf } from '../../../run/values/edits.ts';
import { labelOf, numberText } from '../decide/fields/fieldLook.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** What was edited as the item shows it: `Amount`, from $261.10 to $200.00; groups value by value. */
export function shownChanges<T extends EditedValue>(
  changes: readonly T[],
  schemas: Schemas | undefined,
): T[] {
  return changes.flatMap(leavesOf).map((change) => {
    const schema = schemas?.[change.key];
    const read = (value: EditedValue['before']) => numberText(change.key, value, schema) ?? value;
    const shown = { ...change, key: labelOf(change.key, schema) };
    if (change.before !== undefined) shown.before = read(change.before);
    if (change.after !== undefined) shown.after = read(change.after);
    return shown;
  });
}
