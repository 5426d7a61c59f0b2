import { beforeEach, expect, test, vi } from 'vitest';
import { retryRun } from './retryRun.ts';

const plan = { resent: [{ tool: 'pay', node: 'till', outcome: 'completed' }, { tool: 'ship', node: 'pack', outcome: 'unknown' }, { tool: 'mail', node: 'tell', outcome: 'failed' }] };
const answer = (status: number, body: object) => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }));
const label = (id: string) => id[0]?.toUpperCase() + id.slice(1);
let code = 'ForkResends';
let sent: unknown[] = [];

beforeEach(() => {
  code = 'ForkResends';
  sent = [];
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as { resend?: boolean };
    sent.push(body);
    return body.resend ? answer(201, { id: 'r2' }) : answer(409, { code, detail: 'no', plan });
  });
});

test('what would be sent again is named, and sent after a yes only', async () => {
  const asked: unknown[] = [];
  const ask = (yes: boolean) => (question: { text: unknown }) => {
    asked.push(question.text);
    return Promise.resolve(yes);
  };
  expect(await retryRun('r1', label, ask(false))).toBeNull();
  expect(sent).toEqual([{}]);

  expect(await retryRun('r1', label, ask(true))).toEqual({ id: 'r2' });
  expect(sent.at(-1)).toEqual({ resend: true });
  expect(asked[0]).toBe('This run has already sent pay at Till, ship at Pack (outcome unknown). A retry sends that again.');
});

test('any other refusal is told as it is', async () => {
  code = 'RunNotRetryable';
  await expect(retryRun('r1', label)).rejects.toThrow('no');
});
