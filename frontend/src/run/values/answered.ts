import type { Json } from '../../api/types/types.ts';
import { isObject } from './json.ts';

const MAX_LINE = 200;
/** Fields of an answer in which services say what is wrong. */
const SAYING = ['message', 'error', 'detail', 'title', 'reason', 'description'];

/**
 * What somebody else answered to the call at which it failed, in one line; empty where there was no
 * answer. The list of causes has the same of the server.
 */
export function answeredLine(detail: Json | undefined): string {
  const answer = isObject(detail) ? detail.answer : null;
  const body = isObject(answer) ? answer.body : null;
  if (typeof body !== 'string') return '';
  const lines = (said(body) || body).split('\n').map((line) => line.trim());
  const line = lines.find((each) => each !== '') ?? '';
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

function said(body: string): string {
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return '';
  }
  for (let depth = 0; depth < 2 && isObject(found as Json); depth += 1) {
    const fields = found as Record<string, unknown>;
    found = SAYING.map((name) => fields[name]).find(Boolean);
  }
  return typeof found === 'string' ? found : '';
}
