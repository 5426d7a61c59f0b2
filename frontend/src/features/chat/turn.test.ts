import { expect, test } from 'vitest';
import {
  type ChatFrame,
  isOver,
  isRejected,
  newTurn,
  readableLive,
  reasonIn,
  saidIn,
  type Turn,
  withFrame,
} from './turn.ts';

const RUN = 'r';
const message = (id: number, content: string, key = 'a#1'): ChatFrame => ({
  type: 'message',
  id,
  runId: RUN,
  node: 'a',
  key,
  content,
});
const delta = (text: string, key = 'a#1', reset = false): ChatFrame => ({
  type: 'delta',
  id: null,
  node: 'a',
  key,
  text,
  reset,
});
const done = (id: number, runId = RUN): ChatFrame => ({
  type: 'done',
  id,
  runId,
  status: 'completed',
  result: 'x',
});
const fold = (frames: ChatFrame[], turn: Turn = newTurn(RUN)) => frames.reduce(withFrame, turn);

test('frames that come twice are told once', () => {
  const turn = fold([
    message(3, 'one'),
    message(5, 'two'),
    message(3, 'one'),
    message(5, 'two'),
    done(9),
  ]);
  expect(saidIn(turn)).toEqual(['one', 'two']);
  expect([turn.seen, turn.status, turn.result]).toEqual([9, 'completed', 'x']);
});

test('streamed text grows, starts anew, and makes way for the message', () => {
  const growing = fold([delta('Hel'), delta('lo')]);
  expect(growing.live?.text).toBe('Hello');
  expect(fold([delta('again', 'a#1', true)], growing).live?.text).toBe('again');
  const told = fold([message(3, 'Hello!')], growing);
  expect(told.live).toBeNull();
  expect(fold([delta('late')], told).live).toBeNull();
  expect(fold([delta('next', 'b#1')], told).live?.text).toBe('next');
});

test('JSON that streams is not read out', () => {
  expect(readableLive({ node: 'a', key: 'a#1', text: ' {"topic": ' })).toBe('');
  expect(readableLive({ node: 'a', key: 'a#1', text: 'Well, ' })).toBe('Well, ');
});

test('a question makes it wait, once, and any later frame moves it on', () => {
  const question: ChatFrame = {
    type: 'interrupt',
    id: 4,
    runId: RUN,
    requestId: 'human-1',
    node: 'q',
    status: 'open',
  };
  const waiting = fold([question, { ...question, id: null }]);
  expect(waiting.status).toBe('waiting');
  expect(waiting.items).toHaveLength(1);
  expect(fold([message(7, 'thanks')], waiting).status).toBe('running');
  expect(fold([{ ...question, status: 'answered' }]).status).toBe('running');
});

test('after a hand-over the turn goes on with the next run, whose frames count anew', () => {
  const over = fold([
    { type: 'transition', id: 6, runId: RUN, graph: 'billing', nextRunId: 'n' },
    done(8),
  ]);
  expect([over.runId, over.seen, isOver(over)]).toEqual(['n', 0, false]);
  const end = fold(
    [{ type: 'message', id: 3, runId: 'n', node: 'b', key: 'b#1', content: 'there' }, done(5, 'n')],
    over,
  );
  expect([saidIn(end), end.status]).toEqual([['there'], 'completed']);
});

test('structured output merges as the run merges it', () => {
  const frame = (id: number, dataType: string | null, mode: 'merge' | 'snapshot', data: object) =>
    ({ type: 'structured', id, runId: RUN, dataType, mode, data }) as ChatFrame;
  const turn = fold([
    frame(1, null, 'merge', { topic: 'billing' }),
    frame(2, null, 'merge', { priority: 'normal' }),
    frame(3, 'step', 'snapshot', { at: 1 }),
    frame(4, 'step', 'snapshot', { of: 2 }),
  ]);
  expect(turn.structured).toEqual({ topic: 'billing', priority: 'normal', step: { of: 2 } });
});

test('what went wrong is kept with the end', () => {
  const turn = fold([
    { type: 'error', id: 4, runId: RUN, code: 'HandlerFailed', message: 'no', node: 'a' },
    { type: 'done', id: 6, runId: RUN, status: 'failed', result: null },
  ]);
  expect([turn.status, turn.error?.code]).toEqual(['failed', 'HandlerFailed']);
  expect(isRejected(turn)).toBe(false);
});

test('what a person rejected did not fail, and says why they did', () => {
  const message = 'rejected: the sum is wrong';
  const error = { code: 'ApprovalRejected', message, node: 'check', rejected: true };
  const turn = fold([
    { type: 'error', id: 4, runId: RUN, ...error },
    { type: 'done', id: 6, runId: RUN, status: 'failed', result: null },
  ]);
  expect(isRejected(turn)).toBe(true);
  expect(reasonIn(turn.error?.message ?? '')).toBe('the sum is wrong');
  expect(reasonIn('rejected: no reason given')).toBe('');
});
