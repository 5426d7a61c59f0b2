/** What an approval takes beside a key, so that nothing dangerous is approved by accident. */

import type { Interrupt } from '../../../../api/types/types.ts';
import { amountField } from '../../ahead/alikeWords.ts';
import type { Foresight } from '../../ahead/queries.ts';
import { isGrave } from '../../ahead/words.ts';
import { type AnswerDraft, editsOf } from '../answer.ts';

/** Nothing, to say that one means it, or to type the sum. */
export type Gesture = 'none' | 'mean' | 'type';

const WORD = 'approve';

/** What the policy asks for; as long as nobody knows what follows, that counts as dangerous. */
export function gestureOf(item: Interrupt, ahead: Foresight | undefined): Gesture {
  const asked = item.kind === 'approval' ? item.request.policy?.confirm : undefined;
  if (asked === 'type') return 'type';
  if (asked !== 'dangerous') return 'none';
  return ahead === undefined || ahead.steps.some(isGrave) ? 'mean' : 'none';
}

/** The edits of a draft as JSON text, empty without any or where they do not fit. */
export function editsText(item: Interrupt, draft: AnswerDraft): string {
  if (item.kind !== 'approval') return '';
  const { edits, problems } = editsOf(item, draft);
  const isEmpty = Object.keys(edits).length === 0 || Object.keys(problems).length > 0;
  return isEmpty ? '' : JSON.stringify(edits);
}

/** What has to be typed: the sum as it is approved, else a word. */
export function typedFor(item: Interrupt, draft: AnswerDraft): string {
  const name = amountField({ amount: item.amount, data: item.request.data });
  if (name === null) return WORD;
  const edited = editsOf(item, draft).edits[name];
  return String(edited ?? item.amount);
}

/** Whether that was typed: a sum in any way of writing it, a word in any case. */
export function isTyped(item: Interrupt, draft: AnswerDraft): boolean {
  const wanted = typedFor(item, draft);
  const typed = draft.typed.trim().toLowerCase();
  if (wanted === WORD) return typed === WORD;
  const number = typed.replace(/[$€£,\s]/g, '');
  return number !== '' && Number(number) === Number(wanted);
}
