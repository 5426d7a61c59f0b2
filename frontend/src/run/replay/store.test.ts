import { beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { loadFolding } from './replay.ts';
import { createRunStore } from './store.ts';

beforeAll(loadFolding);

const at = '2026-11-21T10:00:00Z';
const log = [
  { seq: 1, type: 'RunStarted', at, graph_id: 'g' },
  { seq: 2, type: 'NodeQueued', at, node: 'a', key: 'a#1', visit: 1 },
  { seq: 3, type: 'NodeStarted', at, node: 'a', key: 'a#1', attempt: 1, max_attempts: 1 },
  { seq: 4, type: 'NodeCompleted', at, node: 'a', key: 'a#1', output: 'done' },
] as RunEvent[];

function bench() {
  const frames: (() => void)[] = [];
  const store = createRunStore((flush) => frames.push(flush));
  return { store, frames, state: () => store.getState() };
}

describe('live text', () => {
  it('is coalesced: many deltas, one flush', () => {
    const { store, frames, state } = bench();
    let changes = 0;
    state().receive(log.slice(0, 3));
    store.subscribe(() => (changes += 1));

    for (const text of ['one ', 'two ', 'three']) state().receiveDelta({ key: 'a#1', text });
    expect(state().live).toEqual({});
    frames.forEach((flush) => flush());

    expect(state().live).toEqual({ 'a#1': 'one two three' });
    expect([frames.length, changes]).toEqual([1, 1]);
  });

  it('starts anew on reset', () => {
    const { frames, state } = bench();

    state().receiveDelta({ key: 'a#1', text: 'wrong' });
    state().receiveDelta({ key: 'a#1', text: 'right', reset: true });
    frames.forEach((flush) => flush());

    expect(state().live['a#1']).toBe('right');
  });

  it('makes way for the durable result (C60), and late deltas stay out', () => {
    const { frames, state } = bench();
    state().receive(log.slice(0, 3));
    state().receiveDelta({ key: 'a#1', text: 'half' });

    state().receive(log.slice(3));
    state().receiveDelta({ key: 'a#1', text: ' more' });
    frames.forEach((flush) => flush());

    expect(state().live).toEqual({});
    expect(state().head.outputs).toEqual({ a: 'done' });
  });
});

describe('the scrubber', () => {
  it('shows a past moment while the head goes on, and follows again at its end', () => {
    const { state } = bench();
    state().receive(log.slice(0, 3));
    state().scrubTo(2);

    state().receive(log.slice(3));
    expect([state().view.seq, state().head.seq]).toEqual([2, 4]);

    state().scrubTo(4);
    expect([state().scrub, state().view.seq]).toEqual([null, 4]);
  });

  it('keeps its cursor on a gap and says so', () => {
    const { state } = bench();

    expect(state().receive(log.slice(2))).toBe(false);
    expect(state().cursor()).toBe(0);
  });
});
