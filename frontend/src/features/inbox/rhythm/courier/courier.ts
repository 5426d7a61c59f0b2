import type { QueryClient } from '@tanstack/react-query';
import { ApiError, api, messageOf } from '../../../../api/http/client.ts';
import { askAgain } from '../../../../api/live/askAgain.ts';
import type { Decided, Interrupt, InterruptAnswer, Page } from '../../../../api/types/types.ts';
import { unusedText } from '../../decide/rights/notUsed.ts';
import { decidedText, leadOf } from '../../names.ts';
import type { Held, HeldVerb, Outcome, RhythmEvent } from '../machine.ts';

/** What the courier needs of the page. */
export interface Desk {
  client: QueryClient;
  dispatch: (event: RhythmEvent) => void;
  held: () => readonly Held[];
  /** How long decisions are held, in milliseconds. */
  window: () => number;
  titleOf: (id: string) => string;
  /** Tell what went otherwise than it was decided. */
  tell: (title: string, text: string) => void;
}

/** What became of one item of a request about many. */
export interface ItemOutcome {
  id: string;
  state: 'held' | 'decided' | 'withdrawn' | 'refused';
  commit_at: string | null;
  code: string | null;
  detail: string | null;
}

const OUTCOMES: Record<string, Outcome> = {
  AlreadyDecided: 'lost',
  InterruptClosed: 'lost',
  ContentChanged: 'changed',
};
const outcomeOf = (code: string): Outcome => OUTCOMES[code] ?? 'failed';
const WORDS: Record<HeldVerb, string> = { approve: 'approval', reject: 'rejection' };
/** Characters up to which a browser surely sends a request on after its page is gone: 64 KiB at worst. */
const SENT_ON = 16_000;
/** How long after its time a decision is asked after: the server looks twice a second. */
const GRACE_MS = 700;

/** Who was first, as a sentence; null where nobody has decided. */
const firstText = (decided: Decided | null | undefined): string | null =>
  decided ? `${decidedText(decided)} first` : null;

/** Carries decisions to the server, takes them back, and tells what became of them. */
export class Courier {
  #desk: Desk;
  #underway = new Map<string, Promise<unknown>>();
  #isAsking = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Send a decision; the server holds it for a while. */
  send(id: string, verb: HeldVerb, answer: InterruptAnswer): void {
    const body = { ...answer, hold: true };
    const keepalive = JSON.stringify(body).length <= SENT_ON;
    const sent = api
      .post<Interrupt>(`interrupts/${id}/answer/`, body, { keepalive })
      .then((item) => {
        this.#desk.client.setQueryData(['interrupts', 'one', id], item);
        if (item.held) this.#desk.dispatch({ type: 'held', id, until: this.#until() });
        else this.#settle(id, 'done');
      })
      .catch((error: unknown) => this.#refused(id, verb, error));
    this.#underway.set(id, sent);
    void sent.finally(() => this.#underway.delete(id));
  }

  /** Send one decision of many items; gives what became of each. */
  async sendMany(
    items: readonly Interrupt[],
    verb: HeldVerb,
    comment: string,
  ): Promise<readonly ItemOutcome[]> {
    const { results } = await api.post<Page<ItemOutcome>>('interrupts/decide/', {
      items: items.map((item) => ({ id: item.request_id, hash: item.content_hash ?? '' })),
      decision: verb === 'approve' ? 'approved' : 'rejected',
      ...(comment ? { comment } : {}),
    });
    const taken = results.filter((one) => one.state !== 'refused').map((one) => one.id);
    this.#desk.dispatch({ type: 'bulkHeld', ids: taken, verb });
    for (const { id, state } of results) {
      if (state === 'held') this.#desk.dispatch({ type: 'held', id, until: this.#until() });
      if (state === 'decided') this.#settle(id, 'done');
    }
    this.#refresh();
    return results;
  }

  /** Take decisions back; what has been sent meanwhile stays. */
  async withdraw(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#underway.get(id)));
    try {
      const { results } = await api.post<Page<ItemOutcome>>('interrupts/withdraw/', { ids });
      const back = results.filter((one) => one.state === 'withdrawn').map((one) => one.id);
      if (back.length < ids.length)
        this.#desk.tell('It was sent already', 'This cannot be taken back any more.');
      if (back.length > 0) this.#desk.dispatch({ type: 'withdrawn', ids: back });
    } catch (error) {
      this.#desk.tell('It was not taken back', messageOf(error));
    }
    this.#refresh();
  }

  /** Ask what became of decisions whose time is over. Called every now and then. */
  async look(now: number): Promise<void> {
    this.#desk.dispatch({ type: 'tick', now });
    const due = this.#desk
      .held()
      .filter((one) => one.until !== null && one.until + GRACE_MS <= now);
    if (due.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const told = await heldItems();
      for (const one of due) this.#heard(one, told.get(one.id));
      this.#refresh();
    } catch {
      // Asked again in a moment: the server sends it all the same.
    } finally {
      this.#isAsking = false;
    }
  }

  #heard({ id, verb }: Held, item: Interrupt | undefined): void {
    if (!item?.held) return this.#settle(id, 'done');
    if (item.held.state !== 'refused') return;
    const outcome = outcomeOf(item.held.code);
    this.#tell(id, verb, outcome, firstText(item.decided) ?? unusedText(item));
    this.#settle(id, outcome);
  }

  #refused(id: string, verb: HeldVerb, error: unknown): void {
    const outcome = error instanceof ApiError ? outcomeOf(error.code) : 'failed';
    const decided = error instanceof ApiError ? (error.extra.decided as Decided | null) : null;
    this.#tell(id, verb, outcome, firstText(decided) ?? messageOf(error));
    this.#settle(id, outcome);
    this.#refresh();
  }

  #tell(id: string, verb: HeldVerb, outcome: Outcome, why: string): void {
    const title = `Your ${WORDS[verb]} was not used`;
    const about = leadOf(this.#desk.titleOf(id));
    const said =
      outcome === 'changed' ? 'Its content changed meanwhile. It is back in the list.' : `${why}.`;
    this.#desk.tell(title, `${about}: ${said.replace(/\.\.$/, '.')}`);
  }

  #settle(id: string, outcome: Outcome): void {
    this.#desk.dispatch({ type: 'settled', id, outcome, now: Date.now() });
  }

  #refresh(): void {
    askAgain(this.#desk.client, 'interrupts');
  }

  #until(): number {
    return Date.now() + this.#desk.window();
  }
}

/** What the person holds, or what was lately refused of it, by id. */
export async function heldItems(): Promise<Map<string, Interrupt>> {
  const { results } = await api.get<Page<Interrupt>>('interrupts/', { view: 'held', limit: 200 });
  return new Map(results.map((item) => [item.request_id, item]));
}
