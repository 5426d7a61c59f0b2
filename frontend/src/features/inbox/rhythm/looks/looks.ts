import type { Shown } from '../machine.ts';

/** For how long an item was on screen in all, and whether it was scrolled, opened, or there whole. */
export interface Seen {
  ms: number;
  opened: boolean;
}

const keyOf = ({ id, hash }: Pick<Shown, 'id' | 'hash'>): string => `${id} ${hash}`;

/** Adds up how long each item was on screen, also over several visits; other content counts anew. */
export class Looks {
  #before = new Map<string, number>();
  #opened = new Set<string>();

  /** Tell what is on screen now and what was before, at a moment of `performance.now()`. */
  changed(now: Shown | null, before: Shown | null, at: number): void {
    if (before === null || now === before) return;
    const key = keyOf(before);
    this.#before.set(key, (this.#before.get(key) ?? 0) + at - before.at);
  }

  /** Somebody scrolled the item, opened something of it, or had all of it before them. */
  opened(id: string): void {
    this.#opened.add(id);
  }

  /** What is known of the item that is on screen since `shown.at`. */
  seen(shown: Shown, at: number): Seen {
    const ms = (this.#before.get(keyOf(shown)) ?? 0) + at - shown.at;
    return { ms: Math.max(0, Math.round(ms)), opened: this.#opened.has(shown.id) };
  }
}
