import type { Interrupt, Json } from '../../../../api/types/types.ts';
import { isObject } from '../../../../run/values/json.ts';

/** What somebody wrote down of an answer: a value, text as it stands, or why neither is meant. */
export type Reading = { value: Json | null; problem: null } | { value: null; problem: string };

const BEGINS_LIKE_JSON = /^["[{]/;

/** Read what the other side answered: JSON is a value, anything else is text. */
export function readOutcome(typed: string): Reading {
  const text = typed.trim();
  if (text === '') return { value: null, problem: null };
  try {
    return { value: JSON.parse(text) as Json, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!BEGINS_LIKE_JSON.test(text)) return { value: text, problem: null };
    return {
      value: null,
      problem:
        'This begins like JSON and is cut off or mistyped. Paste all of it, or write it as words.',
    };
  }
}

/** What the run will go on with, in words. */
export function outcomeInWords({ value, problem }: Reading): string {
  if (problem !== null) return '';
  if (value === null) return 'The run goes on without an answer.';
  if (Array.isArray(value)) return `The run goes on with a list of ${value.length}.`;
  if (isObject(value)) {
    const names = Object.keys(value);
    const shown = names.slice(0, 6).join(', ');
    return `The run goes on with the fields ${shown}${names.length > 6 ? ' …' : ''}.`;
  }
  return typeof value === 'string'
    ? 'The run goes on with this text.'
    : `The run goes on with ${JSON.stringify(value)}.`;
}

/** Whether it is an HTTP request whose outcome is asked: later steps then read status and body. */
export const isRequest = ({ request }: Interrupt): boolean => Boolean(request.method);

/** Whether the call may have happened. Where code changed or a worker fell there is no such call. */
export const mayHaveHappened = ({ request }: Interrupt): boolean =>
  request.reason === 'unknown_outcome';

/** The status that the other side answered. What failed is no 4xx or 5xx here: it is sent again. */
export function readStatus(typed: string): number | null {
  const status = Number(typed.trim());
  return /^\d{3}$/.test(typed.trim()) && status >= 200 && status < 400 ? status : null;
}
