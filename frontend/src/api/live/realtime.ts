import type { RunEvent } from '../types/types.ts';

/** What can be listened to on the socket (`docs/api.md`, Websocket). */
export type Topic =
  | { run: string; after: number }
  | { topic: 'inbox' | 'mentions' | 'runs' }
  | { graph: string; client: string }
  | { item: string };

/** Where people are together: a draft, or an item of the inbox. */
export type Place = { graph: string } | { item: string };

export interface PresencePerson {
  client: string;
  user: { id: string; name: string };
  selection: string[];
}

/** A frame from the server. */
export type Frame =
  | { op: 'ev'; run: string; events: RunEvent[] }
  | {
      op: 'eph';
      run: string;
      key: string;
      kind: 'delta' | 'progress';
      text?: string;
      reset?: boolean;
    }
  | { op: 'head'; run: string; seq: number }
  | { op: 'bell'; topic: string }
  | { op: 'draft'; graph: string; revision: number; client: string }
  | { op: 'comments'; graph: string }
  | { op: 'presence'; graph?: string; item?: string; people: PresencePerson[] }
  | {
      op: 'refused';
      run?: string;
      graph?: string;
      topic?: string;
      item?: string;
      code: string;
      detail: string;
    }
  | { op: 'pong' };

export type ConnectionState = 'connecting' | 'open' | 'closed';

/** One socket for the whole page. Subscriptions survive reconnects. */
export interface RealtimeClient {
  /**
   * Subscribe; frames of this topic go to `onFrame`. Gives the function that ends it (`unsub`).
   * A run's listener may tell by `seen` up to which seq it has events from elsewhere.
   */
  sub(topic: Topic, onFrame: (frame: Frame) => void, seen?: () => number): () => void;
  /** Tell the others what is selected or done here; dropped while there is no connection. */
  presence(place: Place, selection: string[]): void;
  /** The state now and after every change. Gives the function that stops it. */
  onState(listener: (state: ConnectionState) => void): () => void;
}

interface SocketModule {
  realtime: RealtimeClient;
}

const modules = import.meta.glob<SocketModule>('./socket.ts');

/** The socket, loaded when first wanted; null where the build has none. */
export async function loadRealtime(): Promise<RealtimeClient | null> {
  const load = modules['./socket.ts'];
  return load ? (await load()).realtime : null;
}
