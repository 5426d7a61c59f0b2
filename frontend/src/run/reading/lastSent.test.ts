import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { isObject } from '../values/json.ts';
import { lastRequest, sentWords } from './lastSent.ts';

function log(name: string): RunEvent[] {
  const path = fileURLToPath(
    new URL(`../../../../tests/fixtures/logs/${name}.json`, import.meta.url),
  );
  return (JSON.parse(readFileSync(path, 'utf8')) as { events: RunEvent[] }).events;
}

const wordsOf = (events: readonly RunEvent[], node: string) => {
  const request = lastRequest(events, node)?.request;
  return sentWords(isObject(request) ? request.messages : undefined);
};

test('what was last sent is the first request of the newest attempt, not a later turn of it', () => {
  const events = log('retry_budget');

  expect(wordsOf(events, 'draft')?.prompt).toBe('Write about heat pumps.');
  expect(lastRequest(events, 'draft')).toMatchObject({ key: 'draft#2', whole: true });
});

test('an earlier stretch of the log is asked for until the attempt begins in it', () => {
  const events = log('support_approval');
  const sent = events.findLastIndex(
    (event) => event.type === 'StepIntended' && event.kind === 'model' && event.key === 'answer#1',
  );

  expect(lastRequest(events.slice(sent), 'answer')?.whole).toBe(false);
  expect(wordsOf(events, 'answer')).toMatchObject({
    prompt: expect.stringContaining('charged twice') as string,
    system: expect.any(String) as string,
  });
});

test('a node that asked no model has sent nothing', () => {
  expect(lastRequest(log('support_approval'), 'refund')).toBeNull();
  expect(sentWords([{ role: 'system', content: 'You sort.' }])).toBeNull();
  expect(sentWords({ $blob: 'a' })).toBeNull();
});
