import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { conversationsOf } from './conversation.ts';
import type { RunEvent } from '../fold/events.ts';
import { foldTo } from '../fold/view.ts';

function activation(log: string, key: string, seq = 999) {
  const path = fileURLToPath(
    new URL(`../../../../tests/fixtures/logs/${log}.json`, import.meta.url),
  );
  const { events } = JSON.parse(readFileSync(path, 'utf8')) as { events: RunEvent[] };
  const found = foldTo(events, seq).activations[key];
  if (!found) throw new Error(`no activation ${key}`);
  return found;
}

describe('the conversation of an agent activation (V29)', () => {
  it('tells rendered prompt, model turns, tool call and result once each, in order', () => {
    const [conversation] = conversationsOf(activation('support_approval', 'answer#1'));

    expect(conversation?.turns.map((turn) => turn.kind)).toEqual([
      'system',
      'prompt',
      'answer',
      'tool',
      'answer',
    ]);
    expect(conversation?.turns[1]).toMatchObject({
      text: expect.stringContaining('charged twice') as string,
    });
    expect(conversation?.turns[2]).toMatchObject({
      toolCalls: [{ name: 'find_payments', arguments: { order: '1182' } }],
    });
    expect(conversation?.tools).toEqual([
      { name: 'find_payments', description: 'Payments of an order.' },
    ]);
  });

  it('keeps the conversation of a failed attempt beside the next one', () => {
    const conversations = conversationsOf(activation('retry_budget', 'draft#1'));

    expect(conversations.map((each) => each.attempt)).toEqual([1, 2]);
    expect(conversations[0]?.turns.at(-1)).toMatchObject({
      kind: 'failure',
      error: { code: 'ProviderError' },
    });
  });

  it('shows a follow-up prompt of the same conversation', () => {
    const turns = conversationsOf(activation('retry_budget', 'draft#1'))[1]?.turns ?? [];

    expect(
      turns
        .filter((turn) => turn.kind === 'prompt')
        .map((turn) => ('text' in turn ? turn.text : '')),
    ).toEqual(['Write about heat pumps.', 'Now shorten it.']);
  });

  it('keeps an answer that is too large for the log as what it is fetched by', () => {
    const blob = { $blob: 'a'.repeat(64), bytes: 2_000_000 };
    const seen = activation('support_approval', 'answer#1');
    const steps = seen.steps.map((step) =>
      step.kind === 'model'
        ? { ...step, result: { text: blob, model: 'm', finish_reason: 'stop' } }
        : step,
    );
    const turns = conversationsOf({ ...seen, steps })[0]?.turns ?? [];

    expect(turns.find((turn) => turn.kind === 'answer')).toMatchObject({ text: blob, model: 'm' });
  });

  it('is empty where no model was called', () => {
    expect(conversationsOf(activation('support_approval', 'refund#1'))).toEqual([]);
  });
});
