import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onWaiting, untilWaitIsTold } from './busy.ts';
import { ApiError, api, request } from '../client.ts';

let answers: Response[] = [];
const asked: string[] = [];

const problem = (status: number, code: string, retryAfter?: string): Response =>
  new Response(JSON.stringify({ code, detail: 'Come back later.' }), {
    status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  });
const busy = (retryAfter = '5') => problem(429, 'Busy', retryAfter);
const fine = () => new Response('{"ok":true}', { headers: { 'Content-Type': 'application/json' } });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  asked.length = 0;
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push(init.method ?? '');
    return answers.shift() ?? busy();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a look waits as long as it was told to, and then gets its answer', async () => {
  answers = [busy('5'), busy('2'), fine()];
  const found = api.get('runs/');

  await vi.advanceTimersByTimeAsync(4_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(found).resolves.toEqual({ ok: true });
});

test('a page that asked too quickly slows down by itself', async () => {
  answers = [problem(429, 'TooManyRequests', '1'), fine()];
  const found = api.get('runs/');

  await vi.advanceTimersByTimeAsync(1_000);

  await expect(found).resolves.toEqual({ ok: true });
  expect(asked).toHaveLength(2);
});

test('those who were told the same time do not come back at once', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  answers = [busy('4'), fine()];
  const found = api.get('runs/');

  await vi.advanceTimersByTimeAsync(4_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await found;
  expect(asked).toHaveLength(2);
});

test('a server that stays busy is asked five times and no more', async () => {
  answers = [];
  const failed = refusal(api.get('runs/'));
  await vi.advanceTimersByTimeAsync(600_000);

  expect(await failed).toMatchObject({ status: 429, code: 'Busy', detail: 'Come back later.' });
  expect(asked).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['a request without a key', () => api.post('graphs/', {})],
  ['a change', () => api.patch('graphs/g/', {})],
  ['a request of a page that is being left', () => request('GET', 'runs/', { keepalive: true })],
])('%s is refused at once', async (_name, work) => {
  answers = [busy()];

  expect(await refusal(work())).toBeInstanceOf(ApiError);
  expect(asked).toHaveLength(1);
});

test.each([
  ['with a key', { headers: { 'Idempotency-Key': 'k' } }],
  ['that is known to do nothing twice', { repeatable: true }],
])('a request %s is sent again', async (_name, options) => {
  answers = [busy('1'), fine()];
  const started = api.post('graphs/g/runs/', {}, options);
  await vi.advanceTimersByTimeAsync(1_000);

  await expect(started).resolves.toEqual({ ok: true });
});

test.each([
  ['too many guesses', problem(429, 'TooManyAttempts', '1')],
  ['a wait of minutes', busy('300')],
  ['another refusal', problem(503, 'StoreUnavailable', '1')],
])('%s is not waited for', async (_name, answer) => {
  answers = [answer];

  expect(await refusal(api.get('runs/'))).toBeInstanceOf(ApiError);
  expect(asked).toHaveLength(1);
});

test('who leaves does not wait', async () => {
  answers = [busy('5')];
  const leaving = new AbortController();
  const left = refusal(api.get('runs/', undefined, { signal: leaving.signal }));
  await vi.advanceTimersByTimeAsync(1_000);
  leaving.abort();

  expect(await left).toMatchObject({ name: 'AbortError' });
  expect(asked).toHaveLength(1);
  expect([vi.getTimerCount(), untilWaitIsTold()]).toEqual([0, null]);
});

test('a wait is told after two seconds, and its end at once', async () => {
  const heard: (number | null)[] = [];
  const ignore = onWaiting(() => heard.push(untilWaitIsTold()));
  answers = [busy('5'), fine()];
  const found = api.get('runs/');
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([2_000]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(untilWaitIsTold()).toBe(0);
  await vi.advanceTimersByTimeAsync(3_000);
  await found;

  expect(heard).toEqual([2_000, null]);
  ignore();
});

test('what is kept and has its effect later is said as it is, though its status is one of success', async () => {
  const headers = { 'Content-Type': 'application/problem+json' };
  const body = JSON.stringify({ code: 'NotYet', detail: 'It is kept.' });
  answers = [new Response(body, { status: 202, headers })];

  const told = await refusal(api.post('interrupts/x/answer/'));

  expect(told).toMatchObject({ status: 202, code: 'NotYet', message: 'It is kept.' });
});
