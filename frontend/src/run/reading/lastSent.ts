/** What a node last asked a model, read from the end of a run's log. */

import { nodeOfKey, type RunEvent } from '../fold/events.ts';
import { isObject, type Json, readable } from '../values/json.ts';

/** The first request that an attempt sent; `whole` once the start of the attempt is among the events. */
export interface SentRequest {
  request: Json;
  at: string;
  key: string;
  whole: boolean;
}

/** The first model request of the newest attempt of a node in a stretch of its log; null where none was sent there. */
export function lastRequest(events: readonly RunEvent[], node: string): SentRequest | null {
  const last = events.findLast(
    (event) =>
      event.type === 'StepIntended' && event.kind === 'model' && nodeOfKey(event.key) === node,
  );
  if (last?.type !== 'StepIntended') return null;
  const { key, attempt } = last;
  const first =
    events.find(
      (event) =>
        event.type === 'StepIntended' &&
        event.kind === 'model' &&
        event.key === key &&
        event.attempt === attempt,
    ) ?? last;
  const whole = events.some(
    (event) => event.type === 'NodeStarted' && event.key === key && event.attempt === attempt,
  );
  return first.type === 'StepIntended'
    ? { request: first.request ?? null, at: first.at, key, whole }
    : null;
}

/** The words of a request: what the model is told it is, and what it is asked. */
export interface SentWords {
  system: string;
  prompt: string;
}

/** The words in the messages of a request; null when it asks nothing. */
export function sentWords(messages: Json | undefined): SentWords | null {
  if (!Array.isArray(messages)) return null;
  const of = (role: string) =>
    messages
      .filter((message) => isObject(message) && message.role === role)
      .map((message) => readable(isObject(message) ? message.content : undefined));
  const prompt = of('user').at(-1);
  return prompt === undefined ? null : { system: of('system').join('\n\n'), prompt };
}
