/**
 * One websocket for everything that is live: run logs, lists, drafts and presence.
 *
 * A run listener gets every event of the log once and in order, across reconnects: events at or
 * below its cursor are dropped, and a gap (or a head that stays ahead for two seconds) asks again
 * from the cursor. Topic listeners get a bell after each reconnect, and those of a draft word of
 * comments, because bells may have rung while nobody was listening.
 */

import { currentWorkspace } from '../http/client.ts';
import { type BackoffPolicy, SOCKET_BACKOFF, backoffMs } from './backoff.ts';
import { type ClientFrame, parseFrame, topicId, unsubFrame } from './frames.ts';
import type { ConnectionState, Frame, Place, RealtimeClient, Topic } from './realtime.ts';

/** In full what `ConnectionState` says in a word; `retryAt` is in milliseconds since the epoch. */
export type SocketState =
  | { phase: 'idle' }
  | { phase: 'connecting'; attempt: number }
  | { phase: 'open' }
  | { phase: 'waiting'; attempt: number; retryAt: number };

const WORD: Record<SocketState['phase'], ConnectionState> = {
  idle: 'closed',
  connecting: 'connecting',
  open: 'open',
  waiting: 'closed',
};

/** What `readyState` of a browser's WebSocket is while it can send. */
const OPEN = 1;

export type FrameListener = (frame: Frame) => void;

/** The part of a browser's WebSocket that is used. */
export interface Wire {
  readonly readyState: number;
  addEventListener(
    type: 'open' | 'message' | 'close',
    listener: (event: { data?: unknown }) => void,
  ): void;
  send(text: string): void;
  close(): void;
}

/** Time and chance as parameters, so that tests own them. */
export interface SocketOptions {
  connect: () => Wire;
  now?: () => number;
  later?: (run: () => void, ms: number) => () => void;
  random?: () => number;
  backoff?: BackoffPolicy;
}

interface Listener {
  onFrame: FrameListener;
  last: number;
  /** The seq that the listener has from elsewhere: where the socket does not get on, it asks over HTTP. */
  seen: () => number;
}

interface Subscription {
  topic: Topic;
  listeners: Set<Listener>;
  refused: boolean;
  /** Cancels the check that a head which is ahead gets caught up with. */
  cancelCheck: (() => void) | null;
}

const PING_EVERY_MS = 20_000;
const SILENT_FOR_MS = 50_000;
const HEAD_GRACE_MS = 2_000;

export class LiveSocket implements RealtimeClient {
  readonly #options: Required<SocketOptions>;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #stateListeners = new Set<(state: SocketState) => void>();
  #wire: Wire | null = null;
  #state: SocketState = { phase: 'idle' };
  #attempt = 0;
  #lastHeard = 0;
  #wasOpen = false;
  #cancelTimer: (() => void) | null = null;

  constructor(options: SocketOptions) {
    this.#options = {
      now: Date.now,
      later: timeout,
      random: Math.random,
      backoff: SOCKET_BACKOFF,
      ...options,
    };
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Follow a topic; `after` is the seq a run listener already has. Returns what stops it. */
  sub(topic: Topic, onFrame: FrameListener, seen: () => number = () => 0): () => void {
    const id = topicId(topic);
    const subscription = this.#subscriptions.get(id) ?? {
      topic,
      listeners: new Set<Listener>(),
      refused: false,
      cancelCheck: null,
    };
    const listener: Listener = { onFrame, last: 'run' in topic ? topic.after : 0, seen };
    subscription.listeners.add(listener);
    subscription.refused = false;
    this.#subscriptions.set(id, subscription);
    this.#announce(subscription);
    this.#start();
    return () => {
      subscription.listeners.delete(listener);
      if (subscription.listeners.size > 0 || this.#subscriptions.get(id) !== subscription) return;
      this.#subscriptions.delete(id);
      subscription.cancelCheck?.();
      this.#send(unsubFrame(subscription.topic));
    };
  }

  /** Tell others what is selected or done here; lost without a connection, as presence may be. */
  presence(place: Place, selection: string[]): void {
    this.#send({ op: 'presence', ...place, selection });
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.onPhase(({ phase }) => {
      listener(WORD[phase]);
    });
  }

  /** As `onState`, with the attempt and the time of the next one. */
  onPhase(listener: (state: SocketState) => void): () => void {
    this.#stateListeners.add(listener);
    listener(this.#state);
    return () => {
      this.#stateListeners.delete(listener);
    };
  }

  /** Connect at once, whatever wait is under way (the browser came online, a person asked). */
  retryNow(): void {
    if (this.#state.phase !== 'waiting') return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Connect anew at once where the page slept, and the connection with it. */
  woke(): void {
    if (this.#state.phase === 'open' && this.#isSilent()) this.#giveUp();
    this.retryNow();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const wire = this.#wire;
    this.#wire = null;
    wire?.close();
    this.#setState({ phase: 'idle' });
  }

  #start(): void {
    if (this.#state.phase === 'idle') this.#connect();
  }

  #connect(): void {
    this.#cancelTimer?.();
    this.#setState({ phase: 'connecting', attempt: this.#attempt });
    const wire = this.#options.connect();
    this.#wire = wire;
    const whenCurrent =
      (run: (event: { data?: unknown }) => void) => (event: { data?: unknown }) => {
        if (this.#wire === wire) run(event);
      };
    wire.addEventListener(
      'open',
      whenCurrent(() => this.#opened()),
    );
    wire.addEventListener(
      'message',
      whenCurrent(({ data }) => this.#heard(parseFrame(data))),
    );
    wire.addEventListener(
      'close',
      whenCurrent(() => this.#lost()),
    );
  }

  #opened(): void {
    this.#lastHeard = this.#options.now();
    this.#setState({ phase: 'open' });
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.refused) continue;
      this.#announce(subscription);
      if (this.#wasOpen) catchUp(subscription);
    }
    this.#wasOpen = true;
    this.#keepAlive();
  }

  #keepAlive(): void {
    this.#cancelTimer = this.#options.later(() => {
      if (this.#isSilent()) return this.#giveUp();
      this.#send({ op: 'ping' });
      this.#keepAlive();
    }, PING_EVERY_MS);
  }

  #isSilent(): boolean {
    return this.#options.now() - this.#lastHeard > SILENT_FOR_MS;
  }

  #giveUp(): void {
    const wire = this.#wire;
    this.#lost();
    wire?.close();
  }

  #lost(): void {
    this.#cancelTimer?.();
    this.#wire = null;
    for (const subscription of this.#subscriptions.values()) {
      subscription.cancelCheck?.();
      subscription.cancelCheck = null;
    }
    const wait = backoffMs(this.#attempt, this.#options.random(), this.#options.backoff);
    this.#attempt += 1;
    this.#setState({
      phase: 'waiting',
      attempt: this.#attempt,
      retryAt: this.#options.now() + wait,
    });
    this.#cancelTimer = this.#options.later(() => {
      this.#connect();
    }, wait);
  }

  #heard(frame: Frame | null): void {
    this.#lastHeard = this.#options.now();
    this.#attempt = 0;
    if (frame === null || frame.op === 'pong') return;
    const subscription = this.#subscriptions.get(topicId(frame));
    if (subscription === undefined) return;
    if (frame.op === 'ev') this.#events(subscription, frame);
    else if (frame.op === 'head') this.#head(subscription, frame.seq);
    else {
      if (frame.op === 'refused') subscription.refused = true;
      deliver(subscription, frame);
    }
  }

  #events(subscription: Subscription, frame: Extract<Frame, { op: 'ev' }>): void {
    let gap = false;
    for (const listener of [...subscription.listeners]) {
      listener.last = lastOf(listener);
      const fresh = frame.events.filter((event) => event.seq > listener.last);
      const next = contiguous(fresh, listener.last);
      gap ||= next.length < fresh.length;
      listener.last = next.at(-1)?.seq ?? listener.last;
      if (next.length > 0) listener.onFrame({ ...frame, events: next });
    }
    if (gap) this.#announce(subscription);
  }

  #head(subscription: Subscription, seq: number): void {
    deliver(subscription, { op: 'head', run: runOf(subscription), seq });
    if (cursorOf(subscription) >= seq || subscription.cancelCheck !== null) return;
    subscription.cancelCheck = this.#options.later(() => {
      subscription.cancelCheck = null;
      if (cursorOf(subscription) < seq) this.#announce(subscription);
    }, HEAD_GRACE_MS);
  }

  #announce(subscription: Subscription): void {
    const { topic } = subscription;
    if ('run' in topic) this.#send({ op: 'sub', run: topic.run, after: cursorOf(subscription) });
    else if (!('topic' in topic)) this.#send({ op: 'sub', ...topic });
    else
      this.#send({
        op: 'sub',
        ...topic,
        ...(currentWorkspace() ? { workspace: currentWorkspace() } : {}),
      });
  }

  /** Send where that arrives; what follows is announced anew on the next connection, whatever was lost. */
  #send(frame: ClientFrame): void {
    const wire = this.#wire;
    // a wire that closes says so only once it has: until then browsers complain of each frame
    if (this.#state.phase === 'open' && wire?.readyState === OPEN) wire.send(JSON.stringify(frame));
  }

  #setState(state: SocketState): void {
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
  }
}

function deliver(subscription: Subscription, frame: Frame): void {
  for (const listener of [...subscription.listeners]) listener.onFrame(frame);
}

/** Have what rang, or was said, while nobody was listening asked for again. */
function catchUp(subscription: Subscription): void {
  const { topic } = subscription;
  if ('topic' in topic) deliver(subscription, { op: 'bell', topic: topic.topic });
  if ('graph' in topic) deliver(subscription, { op: 'comments', graph: topic.graph });
}

function runOf(subscription: Subscription): string {
  return 'run' in subscription.topic ? subscription.topic.run : '';
}

/** The seq up to which every listener of a run has everything. */
function cursorOf(subscription: Subscription): number {
  return Math.min(...[...subscription.listeners].map(lastOf));
}

function lastOf(listener: Listener): number {
  return Math.max(listener.last, listener.seen());
}

function contiguous<T extends { seq: number }>(events: readonly T[], last: number): T[] {
  const end = events.findIndex((event, index) => event.seq !== last + 1 + index);
  return events.slice(0, end === -1 ? events.length : end);
}

function timeout(run: () => void, ms: number): () => void {
  const id = setTimeout(run, ms);
  return () => {
    clearTimeout(id);
  };
}
