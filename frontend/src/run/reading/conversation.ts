/** The conversation of an agent activation, read from its journaled steps (row V29). */

import type { WireError } from '../fold/events.ts';
import { type Json, blobOf, isObject, readable } from '../values/json.ts';
import type { ActivationView, StepView } from '../fold/model.ts';

export interface ToolCallView {
  id: string;
  name: string;
  arguments: Json | undefined;
}

/** One thing that was said or done, in the order in which it happened. */
export type Turn =
  | { kind: 'system' | 'prompt' | 'history'; id: string; text: Json }
  | {
      kind: 'answer';
      id: string;
      step: StepView;
      text: Json;
      structured: Json | undefined;
      toolCalls: ToolCallView[];
      model: string;
      finishReason: string;
    }
  | { kind: 'facts'; id: string; step: StepView }
  | { kind: 'tool'; id: string; step: StepView; name: string }
  | { kind: 'failure'; id: string; step: StepView; error: WireError }
  | { kind: 'thinking'; id: string; step: StepView; model: string };

/** The model and tool calls of one attempt, told as a conversation. */
export interface Conversation {
  attempt: number;
  turns: Turn[];
  tools: { name: string; description: string }[];
}

/** Return the conversations of an activation, one an attempt; empty when no model was called. */
export function conversationsOf(activation: ActivationView): Conversation[] {
  const attempts = [...new Set(activation.steps.map((step) => step.attempt))].sort((a, b) => a - b);
  return attempts
    .map((attempt) =>
      conversation(
        attempt,
        activation.steps.filter((step) => step.attempt === attempt),
      ),
    )
    .filter((each) => each.turns.some((turn) => turn.kind !== 'tool' && turn.kind !== 'facts'));
}

function conversation(attempt: number, steps: StepView[]): Conversation {
  const turns: Turn[] = [];
  let said = 0;
  for (const step of steps) {
    if (step.kind === 'model') {
      const messages = listOf(step.request, 'messages');
      turns.push(...opening(messages, said, step));
      said = Math.max(said, messages.length);
      turns.push(outcome(step));
    } else if (step.kind === 'memory') {
      turns.push({ kind: 'facts', id: turnId(step), step });
    } else if (step.kind === 'tool' || step.kind === 'http') {
      turns.push({ kind: 'tool', id: turnId(step), step, name: step.tool ?? 'HTTP request' });
    }
  }
  const offered = steps.findLast((step) => step.kind === 'model')?.request;
  return { attempt, turns, tools: listOf(offered, 'tools').map(offer) };
}

/**
 * Messages of a request that were not told yet. Assistant and tool turns of later requests repeat
 * what the steps before them already show, so only new user and system text is added.
 */
function opening(messages: Json[], said: number, step: StepView): Turn[] {
  const isFirst = said === 0;
  const lastUser = messages.findLastIndex((message) => field(message, 'role') === 'user');
  return messages.slice(said).flatMap((message, offset): Turn[] => {
    const index = said + offset;
    const role = field(message, 'role');
    const id = `${step.path}:${step.attempt}:m${index}`;
    const text = wording(isObject(message) ? message.content : undefined);
    if (role === 'system') return [{ kind: 'system', id, text }];
    if (role === 'user')
      return [{ kind: index === lastUser || !isFirst ? 'prompt' : 'history', id, text }];
    return isFirst && role === 'assistant' ? [{ kind: 'history', id, text }] : [];
  });
}

function outcome(step: StepView): Turn {
  const id = turnId(step);
  const model = field(step.request, 'model');
  if (step.status === 'running') return { kind: 'thinking', id, step, model };
  if (step.error !== null) return { kind: 'failure', id, step, error: step.error };
  const result = isObject(step.result) ? step.result : {};
  return {
    kind: 'answer',
    id,
    step,
    text: wording(result.text ?? step.result),
    structured: result.structured ?? undefined,
    toolCalls: listOf(step.result, 'tool_calls').map(call),
    model: field(step.result, 'model') || model,
    finishReason: field(step.result, 'finish_reason'),
  };
}

/** Words as they were said; what is too large for the log stays the reference by which it is fetched. */
function wording(value: Json | undefined): Json {
  return value === undefined || blobOf(value) === null ? readable(value) : value;
}

function call(value: Json): ToolCallView {
  return {
    id: field(value, 'id'),
    name: field(value, 'name'),
    arguments: isObject(value) ? value.arguments : undefined,
  };
}

function offer(value: Json): { name: string; description: string } {
  return { name: field(value, 'name'), description: field(value, 'description') };
}

function turnId(step: StepView): string {
  return `${step.path}:${step.attempt}`;
}

function field(value: Json | undefined, name: string): string {
  if (!isObject(value)) return '';
  const found = value[name];
  return typeof found === 'string' ? found : '';
}

function listOf(value: Json | undefined, name: string): Json[] {
  if (!isObject(value)) return [];
  const found = value[name];
  return Array.isArray(found) ? found : [];
}
