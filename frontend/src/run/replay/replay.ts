/** The view at any seq, quickly: checkpoints every few hundred events, the rest folded from the nearest. */

import type { RunEvent } from '../fold/events.ts';
import { type MemoryRules, PLAIN_RULES, type RunView, emptyView } from '../fold/model.ts';
import type * as fold from '../fold/view.ts';

const CHECKPOINT_EVERY = 250;

let folding: typeof fold.applyEvents | null = null;

/** Fetch what folds events: a page that shows no run yet does without. To be awaited before events are given. */
export async function loadFolding(): Promise<void> {
  folding ??= (await import('../fold/view.ts')).applyEvents;
}

/** The view after more events; `loadFolding` came before. */
function applyEvents(view: RunView, events: readonly RunEvent[]): RunView {
  if (events.length === 0) return view;
  if (folding === null) throw new Error('Events came before what folds them.');
  return folding(view, events);
}

export class Replay {
  #events: RunEvent[] = [];
  #checkpoints: RunView[];
  #head: RunView;

  constructor(rules: MemoryRules = PLAIN_RULES) {
    this.#head = emptyView(rules);
    this.#checkpoints = [this.#head];
  }

  /** Fold the same events again under the rules of the run's document, which may arrive after its log. */
  setRules(rules: MemoryRules): void {
    const events = this.#events;
    this.#events = [];
    this.#head = emptyView(rules);
    this.#checkpoints = [this.#head];
    this.append(events);
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get head(): RunView {
    return this.#head;
  }

  /** Add the next events. Those already seen are dropped; returns false on a gap and adds nothing after it. */
  append(incoming: readonly RunEvent[]): boolean {
    for (let start = 0; start < incoming.length; start += CHECKPOINT_EVERY) {
      const next = this.#fresh(incoming.slice(start, start + CHECKPOINT_EVERY));
      if (next === null) return false;
      for (const event of next) this.#events.push(event);
      this.#head = applyEvents(this.#head, next);
      const mark = this.#checkpoints.at(-1);
      if (mark !== undefined && this.#head.seq - mark.seq >= CHECKPOINT_EVERY)
        this.#checkpoints.push(this.#head);
    }
    return true;
  }

  /** The view at `seq`, the head for anything at or beyond it. */
  at(seq: number): RunView {
    if (seq >= this.#head.seq) return this.#head;
    const from =
      this.#checkpoints.findLast((mark) => mark.seq <= seq) ?? emptyView(this.#head.rules);
    return applyEvents(from, this.#events.slice(from.seq, seq));
  }

  #fresh(chunk: readonly RunEvent[]): RunEvent[] | null {
    const next: RunEvent[] = [];
    let last = this.#head.seq;
    for (const event of chunk) {
      if (event.seq <= last) continue;
      if (event.seq !== last + 1) return null;
      next.push(event);
      last = event.seq;
    }
    return next;
  }
}
