import type { Interrupt, JsonObject } from '../../../api/types/types.ts';
import { editsOf } from '../decide/answer.ts';
import { useDraftOf } from '../rhythm/drafts.ts';
import type { HeldVerb } from '../rhythm/machine.ts';
import { type Receipt, receiptOf } from './receipt.ts';

/** What was decided of an item; what was edited is known here before the server has answered. */
export function useReceipt(verb: HeldVerb, item: Interrupt | undefined): Receipt {
  const kept = useDraftOf(item);
  const written = item && kept ? editsOf(item, kept.draft).edits : {};
  return receiptOf(verb, item, (item?.held?.edits as JsonObject | null | undefined) ?? written);
}
