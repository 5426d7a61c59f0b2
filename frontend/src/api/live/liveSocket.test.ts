import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';
import { LiveSocket, type Wire } from './liveSocket.ts';
import type { Frame } from './realtime.ts';

class FakeWire implements Wire {
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>();
  readonly sent: Record<string, unknown>[] = [];
  closed = false;
  readyState = 0;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
    this.readyState = 2;
  }
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, listener);
  }
  open(): void {
    this.readyState = 1;
    this.#listeners.get('open')?.({});
  }
  hear(data: unknown): void {
    this.#listeners.get('message')?.({ data });
  }
  say(frame: unknown): void {
    this.hear(JSON.stringify(frame));
  }
  drop(): void {
    this.readyState = 3;
    this.#listeners.get('close')?.({});
  }
}

/** A socket on fake wires and a clock that the test moves. */
function bench() {
  const wires: FakeWire[] = [];
  let clock = 0;
  let timers: { due: number; run: () => void }[] = [];
  const socket = new LiveSocket({
    connect: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    now: () => clock,
    random: () => 0,
    later: (run, ms) => {
      const timer = { due: clock + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  });
  const pass = (ms: number) => {
    clock += ms;
    const due = timers.filter((timer) => timer.due <= clock);
    timers = timers.filter((timer) => timer.due > clock);
    due.forEach((timer) => timer.run());
  };
  const wire = (): FakeWire => {
    const last = wires.at(-1);
    if (!last) throw new Error('no connection was made');
    return last;
  };
  return { socket, wires, wire, pass };
}

const events = (...seqs: number[]) =>
  seqs.map((seq) => ({ seq, type: 'NodeQueued', at: '2026-11-21T10:00:00Z' }));

/** Follow a run and note the seqs that arrive. */
function follow(socket: LiveSocket, run = 'r1', after = 0) {
  const seqs: number[] = [];
  const frames: Frame[] = [];
  const stop = socket.sub({ run, after }, (frame) => {
    frames.push(frame);
    if (frame.op === 'ev') seqs.push(...frame.events.map((event) => event.seq));
  });
  return { seqs, frames, stop };
}

describe('a run on the socket', () => {
  it('subscribes with the cursor once the connection opens', () => {
    const { socket, wire } = bench();
    follow(socket, 'r1', 7);
    expect(wire().sent).toEqual([]);

    wire().open();

    expect(wire().sent).toEqual([{ op: 'sub', run: 'r1', after: 7 }]);
  });

  it('sends nothing on a wire that is about to close, and asks on the next one', () => {
    const { socket, wire, wires, pass } = bench();
    follow(socket, 'r1');
    wire().open();
    wire().readyState = 2;
    follow(socket, 'r2', 3);
    expect(wire().sent).toHaveLength(1);

    wire().drop();
    pass(60_000);
    wire().open();

    expect(wires).toHaveLength(2);
    expect(wire().sent).toContainEqual({ op: 'sub', run: 'r2', after: 3 });
  });

  it('drops duplicates', () => {
    const { socket, wire } = bench();
    const { seqs } = follow(socket);
    wire().open();

    wire().say({ op: 'ev', run: 'r1', events: events(1, 2, 3) });
    wire().say({ op: 'ev', run: 'r1', events: events(2, 3, 4) });

    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('asks again from the last event on a gap and delivers nothing beyond it', () => {
    const { socket, wire } = bench();
    const { seqs } = follow(socket);
    wire().open();
    wire().say({ op: 'ev', run: 'r1', events: events(1, 2) });

    wire().say({ op: 'ev', run: 'r1', events: events(3, 5) });
    expect(seqs).toEqual([1, 2, 3]);
    expect(wire().sent.at(-1)).toEqual({ op: 'sub', run: 'r1', after: 3 });

    wire().say({ op: 'ev', run: 'r1', events: events(4, 5) });
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
  });

  it('goes on after a reconnect where it stopped', () => {
    const { socket, wires, wire, pass } = bench();
    const { seqs } = follow(socket);
    wire().open();
    wire().say({ op: 'ev', run: 'r1', events: events(1, 2) });

    wire().drop();
    pass(1000);
    wire().open();

    expect(wires).toHaveLength(2);
    expect(wire().sent).toEqual([{ op: 'sub', run: 'r1', after: 2 }]);
    wire().say({ op: 'ev', run: 'r1', events: events(1, 2, 3) });
    expect(seqs).toEqual([1, 2, 3]);
  });

  it('goes on behind what its listener got elsewhere', () => {
    const { socket, wire, pass } = bench();
    const seqs: number[] = [];
    let seen = 0;
    socket.sub(
      { run: 'r1', after: 0 },
      (frame) => {
        if (frame.op === 'ev') seqs.push(...frame.events.map((event) => event.seq));
      },
      () => seen,
    );
    wire().open();
    wire().drop();
    seen = 4;
    pass(1000);
    wire().open();

    expect(wire().sent).toEqual([{ op: 'sub', run: 'r1', after: 4 }]);
    wire().say({ op: 'ev', run: 'r1', events: events(4, 5) });
    expect(seqs).toEqual([5]);
  });

  it('asks again when the head stays ahead for two seconds, not before', () => {
    const { socket, wire, pass } = bench();
    follow(socket);
    wire().open();
    wire().say({ op: 'ev', run: 'r1', events: events(1) });

    wire().say({ op: 'head', run: 'r1', seq: 3 });
    pass(1900);
    expect(wire().sent).toHaveLength(1);
    pass(200);
    expect(wire().sent.at(-1)).toEqual({ op: 'sub', run: 'r1', after: 1 });
  });

  it('is quiet when the events of the head arrive in time', () => {
    const { socket, wire, pass } = bench();
    follow(socket);
    wire().open();

    wire().say({ op: 'head', run: 'r1', seq: 2 });
    wire().say({ op: 'ev', run: 'r1', events: events(1, 2) });
    pass(2500);

    expect(wire().sent).toHaveLength(1);
  });

  it('serves two listeners with different cursors, each event once', () => {
    const { socket, wire } = bench();
    const first = follow(socket, 'r1', 2);
    wire().open();
    const second = follow(socket, 'r1', 0);
    expect(wire().sent.at(-1)).toEqual({ op: 'sub', run: 'r1', after: 0 });

    wire().say({ op: 'ev', run: 'r1', events: events(1, 2, 3) });

    expect(first.seqs).toEqual([3]);
    expect(second.seqs).toEqual([1, 2, 3]);
  });

  it('ends following only when the last listener leaves', () => {
    const { socket, wire } = bench();
    const first = follow(socket);
    const second = follow(socket);
    wire().open();

    first.stop();
    expect(wire().sent.some((frame) => frame.op === 'unsub')).toBe(false);
    second.stop();
    expect(wire().sent.at(-1)).toEqual({ op: 'unsub', run: 'r1' });
  });

  it('tells a refusal and does not knock again after a reconnect', () => {
    const { socket, wire, pass } = bench();
    const { frames } = follow(socket);
    wire().open();

    wire().say({ op: 'refused', run: 'r1', code: 'RunNotFound', detail: 'No such run.' });
    wire().drop();
    pass(1000);
    wire().open();

    expect(frames).toEqual([
      { op: 'refused', run: 'r1', code: 'RunNotFound', detail: 'No such run.' },
    ]);
    expect(wire().sent).toEqual([]);
  });
});

describe('the connection', () => {
  it('rings topic bells after a reconnect, since some may have been missed', () => {
    const { socket, wire, pass } = bench();
    const bells: Frame[] = [];
    socket.sub({ topic: 'inbox' }, (frame) => bells.push(frame));
    wire().open();
    expect(bells).toEqual([]);

    wire().drop();
    pass(1000);
    wire().open();

    expect(bells).toEqual([{ op: 'bell', topic: 'inbox' }]);
  });

  it('shows its state and waits longer after each failure', () => {
    const { socket, wire, pass } = bench();
    const waits: number[] = [];
    const words: string[] = [];
    socket.onState((state) => words.push(state));
    socket.onPhase((state) => {
      if (state.phase === 'waiting') waits.push(state.retryAt);
    });
    follow(socket);

    wire().drop();
    pass(250);
    wire().drop();

    expect(words).toEqual(['closed', 'connecting', 'closed', 'connecting', 'closed']);
    expect(waits).toEqual([250, 250 + 500]);
  });

  it('connects at once when told to, instead of waiting', () => {
    const { socket, wires, wire } = bench();
    follow(socket);
    wire().drop();

    socket.retryNow();

    expect(wires).toHaveLength(2);
  });

  it('pings, and replaces a connection that has gone silent', () => {
    const { socket, wires, wire, pass } = bench();
    follow(socket);
    wire().open();
    pass(20_000);
    expect(wire().sent.at(-1)).toEqual({ op: 'ping' });

    pass(20_000);
    pass(20_000);
    expect(wires[0]?.closed).toBe(true);
    pass(1000);
    expect(wires).toHaveLength(2);
  });

  it('survives what is not a frame', () => {
    const { socket, wire } = bench();
    const { seqs } = follow(socket);
    wire().open();

    wire().hear('not json');
    wire().say({ op: 'ev', run: 'r1', events: events(1) });

    expect(seqs).toEqual([1]);
  });
});

describe('after a while without word', () => {
  /** A draft that is followed, its connection open; `said` counts what asks for its comments. */
  function followed() {
    const found = bench();
    const said: Frame[] = [];
    found.socket.sub({ graph: 'g1', client: 'tab' }, (frame) => said.push(frame));
    found.wire().open();
    return { ...found, said };
  }

  it('asks for the comments of a draft after a reconnect, since some may have been missed', () => {
    const { wire, pass, said } = followed();
    expect(said).toEqual([]);

    wire().drop();
    pass(1000);
    wire().open();

    expect(said).toEqual([{ op: 'comments', graph: 'g1' }]);
  });

  it('connects anew as soon as the page wakes, and not where it only looked away', () => {
    const { socket, wires, wire, pass, said } = followed();
    socket.woke();
    expect(wires).toHaveLength(1);

    pass(19_000);
    wire().say({ op: 'pong' });
    pass(51_000);
    socket.woke();
    wire().open();

    expect(wires).toHaveLength(2);
    expect(said).toHaveLength(1);
  });
});

describe('backoffMs', () => {
  it('doubles to a bound, half of it by chance', () => {
    expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1000, 7500]);
    expect(backoffMs(10, 0.9999)).toBe(14_999);
  });
});
