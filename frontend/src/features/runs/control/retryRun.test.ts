import { beforeEach, expect, test, vi } from 'vitest';
import { retryRun, versionOf } from './retryRun.ts';

const plan = {
  resent: [
    {
      tool: 'http',
      node: 'till',
      outcome: 'completed',
      arguments: { method: 'POST', url: 'https://pay.example/v1/charges?id=7' },
    },
    { tool: 'ship', node: 'pack', outcome: 'unknown' },
    { tool: 'mail', node: 'tell', outcome: 'failed' },
  ],
};
const answer = (status: number, body: object) =>
  Promise.resolve(
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
  );
const label = (id: string) => id[0]?.toUpperCase() + id.slice(1);
let code = 'ForkResends';
let sent: unknown[] = [];

beforeEach(() => {
  code = 'ForkResends';
  sent = [];
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as { resend?: boolean };
    sent.push(body);
    if (code === 'ForkAfterApproval')
      return answer(409, { code, detail: 'no', earliest: { seq: 3, key: 'ok#1', node: 'ok' } });
    return body.resend ? answer(201, { id: 'r2' }) : answer(409, { code, detail: 'no', plan });
  });
});

test('what would be sent again is named, and sent after a yes only', async () => {
  const asked: unknown[] = [];
  const ask = (yes: boolean) => (question: { text: unknown }) => {
    asked.push(question.text);
    return Promise.resolve(yes);
  };
  expect(await retryRun('r1', 'same', label, ask(false))).toBeNull();
  expect(sent).toEqual([{}]);

  expect(await retryRun('r1', 'same', label, ask(true))).toEqual({ next: { id: 'r2' } });
  expect(sent.at(-1)).toEqual({ resend: true });
  expect(asked[0]).toBe(
    'This run has already sent POST pay.example at “Till”, “ship” at “Pack” (outcome unknown). A retry sends that again.',
  );
});

test('any other refusal is told as it is', async () => {
  code = 'RunNotRetryable';
  await expect(retryRun('r1', 'same', label)).rejects.toThrow('no');
});

test('the draft is named in what is sent, also the second time', async () => {
  expect(await retryRun('r1', 'draft', label, () => Promise.resolve(true))).toEqual({
    next: { id: 'r2' },
  });
  expect(sent).toEqual([{ version: 'draft' }, { version: 'draft', resend: true }]);
});

test('an approval before the failed node gives the earliest place to start at', async () => {
  code = 'ForkAfterApproval';
  expect(await retryRun('r1', 'draft', label)).toEqual({
    earliest: { seq: 3, key: 'ok#1', node: 'ok' },
  });
});

test('the document that ran has a name', () => {
  expect(versionOf({ is_draft: false, version: 3 })).toBe('version 3 as it ran');
  expect(versionOf({ is_draft: true, version: null })).toBe('the draft as it ran');
});
