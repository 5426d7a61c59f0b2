import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { GraphDoc } from '../../api/types/types.ts';
import type { RunEvent } from './events.ts';
import { undoneBy } from './events.ts';
import { memoryRules } from './memory.ts';
import { type RunView, emptyView } from './model.ts';
import { applyEvent } from './view.ts';

/**
 * Logs recorded from the engine, each with what the engine's own fold shows of it at some places
 * (`tests/golden`): this fold has to come to the same.
 */
const folder = fileURLToPath(new URL('../../../../tests/fixtures/recorded/', import.meta.url));

interface Recorded {
  name: string;
  description: string;
  document: GraphDoc;
  events: RunEvent[];
  states: ({ seq: number } & Record<string, unknown>)[];
}

const logs = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Recorded,
);

const sorted = <T>(entries: [string, T][]): Record<string, T> =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));

/** The last visit of each node that stands at the top of the graph. */
function visitsOf(view: RunView): Record<string, number> {
  const tops = view.order.filter((key) => !key.includes('/') && undoneBy(key) === null);
  return sorted(tops.map((key) => [key.split('#')[0] ?? '', Number(key.split('#')[1])]));
}

/** What both folds know of a run, in one form: `shown` in `tests/golden/recording.py`. */
function shown(view: RunView): Recorded['states'][number] {
  const live = view.live.flatMap((key) => view.activations[key] ?? []);
  const closed = Object.values(view.interrupts).filter((each) => each.outcome !== null);
  return {
    seq: view.seq,
    status: view.status,
    live: sorted(live.map((each) => [each.key, each.status])),
    attempts: sorted(live.map((each) => [each.key, each.attempt])),
    visits: visitsOf(view),
    outputs: view.outputs,
    memory: view.memory,
    spend: {
      usd: view.spend.usd,
      tokens: view.spend.tokens,
      held_usd: view.spend.heldUsd,
      held_tokens: view.spend.heldTokens,
    },
    open: [...view.openInterrupts].sort(),
    resolved: sorted(closed.map((each) => [each.requestId, each.outcome])),
    messages: view.messages.map((each) => each.content),
    ui: view.ui,
    agents: Object.keys(view.agents).sort(),
    ending: view.ending?.status ?? null,
    error: view.error?.code ?? null,
    result: view.result ?? null,
    ended_at: view.endedAt,
  };
}

describe('a log recorded from the engine', () => {
  it.each(logs.map((log) => [log.name, log] as const))(
    'folds to what the engine makes of it: %s',
    (_, log) => {
      const places = new Map(log.states.map((state) => [state.seq, state]));
      let view = emptyView(memoryRules(log.document));
      for (const event of log.events) {
        view = applyEvent(view, event);
        const state = places.get(view.seq);
        if (state !== undefined) expect(shown(view)).toEqual(state);
      }
      expect(view.seq).toBe(log.states.at(-1)?.seq);
    },
  );
});
