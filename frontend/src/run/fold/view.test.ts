import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from './events.ts';
import type { GraphDoc } from '../../api/types/types.ts';
import type { Json } from '../values/json.ts';
import { memoryRules } from './memory.ts';
import type { RunView, Spend } from './model.ts';
import { emptyView } from './model.ts';
import { loadFolding, Replay } from '../replay/replay.ts';
import { applyEvent, applyEvents, foldTo } from './view.ts';

beforeAll(loadFolding);

const folder = fileURLToPath(new URL('../../../../tests/fixtures/logs/', import.meta.url));

interface Expectation {
  seq: number;
  messages?: string[];
  segments?: Record<string, string[]>;
  [field: string]: Json | undefined;
}
interface Golden {
  name: string;
  description: string;
  document?: GraphDoc;
  events: RunEvent[];
  expected: Expectation[];
}

const logs = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Golden);

function log(name: string): Golden {
  const found = logs.find((each) => each.name === name);
  if (!found) throw new Error(`no log ${name}`);
  return found;
}

const money = (spend: Spend) => ({
  usd: spend.usd,
  tokens: spend.tokens,
  held_usd: spend.heldUsd,
  held_tokens: spend.heldTokens,
});

/** The view in the form of the golden files, as far as the expectation speaks. */
function told(view: RunView, expected: Expectation): Expectation {
  const all: Record<string, unknown> = {
    seq: view.seq,
    status: view.status,
    nodes: Object.fromEntries(
      Object.values(view.nodes).map((node) => [
        node.id,
        { status: node.status, visits: node.visits, ...money(node.spend) },
      ]),
    ),
    spend: money(view.spend),
    edges: view.takenEdges,
    memory: view.memory,
    outputs: view.outputs,
    open: view.openInterrupts,
    messages: view.messages.map((message) => message.content),
    result: view.result,
    ui: view.ui,
    error: view.error?.code,
    limit_usd: view.limits.budget_usd,
    segments: Object.fromEntries(
      Object.keys(expected.segments ?? {}).map((key) => [
        key,
        view.activations[key]?.segments.map((segment) => segment.kind),
      ]),
    ),
  };
  return Object.fromEntries(
    Object.keys(expected).map((field) => [field, all[field]]),
  ) as Expectation;
}

describe('the fold of a run log (C46)', () => {
  for (const golden of logs) {
    for (const expected of golden.expected) {
      it(`${golden.name} at ${expected.seq}: ${golden.description}`, () => {
        const view = foldTo(
          golden.events,
          expected.seq,
          golden.document && memoryRules(golden.document),
        );

        expect(told(view, expected)).toEqual(expected);
      });
    }

    it(`${golden.name}: one by one equals all at once`, () => {
      const single = golden.events.reduce(applyEvent, emptyView());

      expect(single).toEqual(applyEvents(emptyView(), golden.events));
    });

    it(`${golden.name}: no earlier view changes when events follow`, () => {
      const early = foldTo(golden.events, 12);
      const copy = structuredClone(early);

      applyEvents(early, golden.events.slice(12));

      expect(early).toEqual(copy);
    });
  }

  it('sums are exact where floating-point numbers are not', () => {
    const { events } = log('map_children');

    expect(foldTo(events, events.length).spend.usd).toBe('0.00042');
  });

  it('ignores a type that only a newer server knows', () => {
    const event = {
      seq: 1,
      type: 'SomethingNew',
      at: '2026-11-21T10:00:00Z',
    } as unknown as RunEvent;

    expect(applyEvent(emptyView(), event).seq).toBe(1);
  });

  it('tells what each step changed in memory, leaf by leaf', () => {
    const { events } = log('support_approval');

    const last = foldTo(events, events.length).memorySteps.at(-1);

    expect(last?.node).toBe('refund');
    expect(last?.changes).toEqual([
      { path: 'refund.status', before: undefined, after: 'refunded' },
    ]);
  });

  it('keeps the decision with its interrupt', () => {
    const { events } = log('support_approval');

    const item = foldTo(events, events.length).interrupts['human-1'];

    expect(item).toMatchObject({
      outcome: 'answered',
      by: 'Bob Keller',
      comment: 'Friendlier words',
    });
  });

  it('lands the decision of a rejection that leads on (C8)', () => {
    const of = { seq: 2, at: '2026-11-21T10:00:00Z', node: 'review', key: 'review#1' };
    const error = { code: 'ApprovalRejected', message: 'rejected: shorter' };
    const start: RunEvent = {
      ...of,
      type: 'NodeStarted',
      attempt: 1,
      max_attempts: 4,
      epoch: 1,
      node_type: 'approval',
      code: 'c',
    };
    const end: RunEvent = {
      ...of,
      seq: 3,
      type: 'NodeFailed',
      error,
      edges: [1],
      attempts: 1,
      duration_ms: 10,
      results: { review_result: { decision: 'rejected' } },
    };

    const view = foldTo(
      [{ seq: 1, at: of.at, type: 'RunStarted', graph_id: 'g' }, start, end] as RunEvent[],
      3,
    );

    expect(view.memory).toEqual({ review_result: { decision: 'rejected' } });
    expect(view.memorySteps.at(-1)?.node).toBe('review');
  });

  it('says what a person should know: thresholds, raises, dropped writes', () => {
    const texts = (name: string) =>
      foldTo(log(name).events, 999).notices.map((notice) => notice.text);

    expect(texts('retry_budget')).toEqual([
      '50 % of the budget of this run is used',
      'Budget raised by $0.03 by Bob Keller',
      'A step failed: nothing more is started',
    ]);
    expect(texts('map_children')).toEqual(['Write to secret was dropped: not declared']);
  });
});

describe('Replay', () => {
  const many = (count: number): RunEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      seq: index + 1,
      type: 'NodeQueued',
      at: '2026-11-21T10:00:00Z',
      node: 'a',
      key: `a#${index + 1}`,
      visit: index + 1,
    }));

  it('gives the same view at any seq as folding from the start', () => {
    const events = many(900);
    const replay = new Replay();
    replay.append(events);

    for (const seq of [0, 1, 249, 250, 251, 700, 900])
      expect(replay.at(seq)).toEqual(foldTo(events, seq));
  });

  it('drops what it has and refuses a gap', () => {
    const events = many(10);
    const replay = new Replay();

    expect(replay.append(events.slice(0, 4))).toBe(true);
    expect(replay.append(events.slice(2, 6))).toBe(true);
    expect(replay.append(events.slice(8))).toBe(false);
    expect(replay.head.seq).toBe(6);
    expect(replay.events).toHaveLength(6);
  });
});

describe('a retry', () => {
  const at = '2026-11-21T10:00:00Z';
  const events = [
    { seq: 1, type: 'RunStarted', at, graph_id: 'g' },
    { seq: 2, type: 'NodeQueued', at, node: 'a', key: 'a#1', visit: 1 },
    { seq: 3, type: 'NodeStarted', at, node: 'a', key: 'a#1', attempt: 1, max_attempts: 2 },
    {
      seq: 4,
      type: 'AttemptFailed',
      at,
      node: 'a',
      key: 'a#1',
      attempt: 1,
      max_attempts: 2,
      retry_at: 99,
      error: { code: 'X', message: 'x' },
    },
    { seq: 5, type: 'NodeStarted', at, node: 'a', key: 'a#1', attempt: 2, max_attempts: 2 },
  ] as unknown as RunEvent[];

  it('is waited for until it begins, and not a moment longer', () => {
    const waiting = foldTo(events, 4).activations['a#1'];
    const running = foldTo(events, 5).activations['a#1'];

    expect([waiting?.status, waiting?.retryAt, waiting?.attempt]).toEqual(['retrying', 99, 1]);
    expect([running?.status, running?.retryAt, running?.attempt]).toEqual(['running', null, 2]);
  });
});
