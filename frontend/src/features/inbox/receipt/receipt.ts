/** What a decision that can still be taken back came to, in words. */

import type { Interrupt, JsonObject } from '../../../api/types/types.ts';
import { changesText, type EditedValue } from '../../../run/values/edits.ts';
import { isObject } from '../../../run/values/json.ts';
import { shownChanges } from './shown.ts';
import type { HeldVerb } from '../rhythm/machine.ts';

export interface Receipt {
  /** `Approved`, `Approved with 1 edit:`. */
  verb: string;
  /** What was changed by it, empty without any: `Amount 34.55 → 30.00`. */
  edits: string;
}

/** What was decided of an item, with the values that it was approved with. */
export function receiptOf(verb: HeldVerb, item: Interrupt | undefined, edits: JsonObject): Receipt {
  if (verb === 'reject') return { verb: 'Rejected', edits: '' };
  const names = Object.keys(edits);
  if (item === undefined || names.length === 0) return { verb: 'Approved', edits: '' };
  return {
    verb: `Approved with ${names.length === 1 ? '1 edit' : `${names.length} edits`}:`,
    edits: changesText(
      shownChanges(
        names.map((name) => changeOf(item, name, edits)),
        item.request.edit_schema?.properties,
      ),
    ),
  };
}

function changeOf({ request }: Interrupt, key: string, edits: JsonObject): EditedValue {
  const shown = isObject(request.data) ? request.data : {};
  return { key, before: shown[key], after: edits[key] };
}
