import { beforeAll, expect, test } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { loadFolding, Replay } from './replay.ts';

beforeAll(loadFolding);

const at = '2026-11-21T10:00:00Z';
/** A log of `length` events: each writes its own number into memory. */
const log = (length: number) =>
  [
    { seq: 1, type: 'RunStarted', at, graph_id: 'g' },
    ...Array.from({ length: length - 1 }, (_, index) => ({
      seq: index + 2,
      type: 'NodeCompleted',
      at,
      node: 'a',
      key: `a#${index + 2}`,
      writes: { n: index + 2 },
    })),
  ] as unknown as RunEvent[];

test('what comes twice is taken once, in whatever pieces it comes', () => {
  const replay = new Replay();
  const events = log(10);

  expect(replay.append(events.slice(0, 6))).toBe(true);
  expect(replay.append(events.slice(3, 8))).toBe(true);
  expect(replay.append(events)).toBe(true);

  expect(replay.events.map((event) => event.seq)).toEqual(events.map((event) => event.seq));
  expect(replay.head.memory).toEqual({ n: 10 });
});

test('nothing behind a gap is taken', () => {
  const replay = new Replay();
  const events = log(10);
  replay.append(events.slice(0, 3));

  expect(replay.append([...events.slice(3, 5), ...events.slice(6)])).toBe(false);
  expect([replay.head.seq, replay.events.length]).toEqual([3, 3]);
  expect(replay.append(events.slice(3))).toBe(true);
  expect(replay.head.seq).toBe(10);
});

test.each([1, 2, 249, 250, 251, 500, 501, 777, 1000])(
  'the view at %i is that of the log up to there',
  (seq) => {
    const replay = new Replay();
    replay.append(log(1000));
    const then = replay.at(seq);

    expect([then.seq, then.memory.n]).toEqual([seq, seq === 1 ? undefined : seq]);
  },
);

test('beyond the head is the head', () => {
  const replay = new Replay();
  replay.append(log(3));

  expect(replay.at(99)).toBe(replay.head);
});

test('rules that arrive later fold the same events again', () => {
  const replay = new Replay();
  replay.append(log(300));
  replay.setRules(replay.head.rules);

  expect([replay.head.seq, replay.events.length, replay.at(7).memory.n]).toEqual([300, 300, 7]);
});
