/** What became of one request in a chat: a fold over the frames of the run, or runs, that answer it. */

import type { Json, JsonObject, RunStatus } from '../../api/types/types.ts';
import { deepMerge } from '../../run/values/json.ts';

/** A frame of `docs/api.md`, Chat. `id` is the seq of its event; deltas have none. */
export type ChatFrame = { id: number | null } & (
  | { type: 'message'; runId: string; node: string; key: string; content: string }
  | {
      type: 'structured';
      runId: string;
      dataType: string | null;
      mode: 'merge' | 'snapshot';
      data: Json;
    }
  | { type: 'interrupt'; runId: string; requestId: string; node: string; status: string }
  | { type: 'transition'; runId: string; graph: string; nextRunId: string }
  | {
      type: 'error';
      runId: string;
      code: string;
      message: string;
      node?: string | null;
      /** A person said no. */
      rejected?: boolean;
    }
  | { type: 'done'; runId: string; status: RunStatus; result: Json }
  | { type: 'delta'; node: string; key: string; text?: string; reset?: boolean }
);

export type Item =
  | { kind: 'message'; id: string; node: string; content: string }
  | { kind: 'asked'; id: string; requestId: string }
  | { kind: 'handed'; id: string; graph: string; runId: string };

export interface Live {
  node: string;
  key: string;
  text: string;
}

export interface Turn {
  /** The run that answers now; another one after a hand-over. */
  runId: string | null;
  status:
    | 'sending'
    | 'running'
    | 'waiting'
    | 'completed'
    | 'failed'
    | 'timeout'
    | 'cancelled'
    | 'refused';
  items: Item[];
  live: Live | null;
  /** Activations whose text is told: what still streams in from them is old. */
  told: ReadonlySet<string>;
  structured: JsonObject;
  result: Json | undefined;
  error: { code: string; message: string; node: string | null; rejected?: boolean } | null;
  /** The last frame seen of `runId`. */
  seen: number;
  /** The connection is away and is tried again. */
  away: boolean;
}

export const newTurn = (runId: string | null = null): Turn => ({
  runId,
  status: runId === null ? 'sending' : 'running',
  items: [],
  live: null,
  told: new Set(),
  structured: {},
  result: undefined,
  error: null,
  seen: 0,
  away: false,
});

const OVER: ReadonlySet<Turn['status']> = new Set<Turn['status']>([
  'completed',
  'failed',
  'timeout',
  'cancelled',
  'refused',
]);
export const isOver = (turn: Turn): boolean => OVER.has(turn.status);

/** Whether the turn ended as a person said no, which is no failure. */
export const isRejected = ({ status, error }: Turn): boolean =>
  status === 'failed' && error?.rejected === true;

/** What a person gave as the reason to reject, out of the message of the end; empty without one. */
export function reasonIn(message: string): string {
  const reason = message.replace(/^rejected:\s*/, '');
  return reason === 'no reason given' ? '' : reason;
}

const MAX_LIVE = 8_000;

/** The turn with one more frame; a frame that was seen before changes nothing. */
export function withFrame(turn: Turn, frame: ChatFrame): Turn {
  if (frame.type === 'delta') return withDelta(turn, frame);
  if (frame.runId === turn.runId && frame.id !== null && frame.id <= turn.seen) return turn;
  const next: Turn = {
    ...turn,
    seen: frame.id ?? turn.seen,
    status: isOver(turn) ? turn.status : 'running',
    away: false,
  };
  const id = `${frame.runId}:${frame.id ?? ''}`;
  switch (frame.type) {
    case 'message':
      return {
        ...next,
        live: null,
        told: new Set([...turn.told, frame.key]),
        items: [...turn.items, { kind: 'message', id, node: frame.node, content: frame.content }],
      };
    case 'structured':
      return {
        ...next,
        structured: withStructured(turn.structured, frame.dataType, frame.mode, frame.data),
      };
    case 'interrupt':
      return asked(next, frame);
    case 'transition':
      return {
        ...next,
        live: null,
        items: [...turn.items, { kind: 'handed', id, graph: frame.graph, runId: frame.nextRunId }],
      };
    case 'error':
      return {
        ...next,
        live: null,
        error: {
          code: frame.code,
          message: frame.message,
          node: frame.node ?? null,
          ...(frame.rejected ? { rejected: true } : {}),
        },
      };
    case 'done':
      return ended(next, frame.status, frame.result);
    default:
      return frame satisfies never;
  }
}

function withDelta(
  turn: Turn,
  { node, key, text = '', reset = false }: Extract<ChatFrame, { type: 'delta' }>,
): Turn {
  if (isOver(turn) || turn.told.has(key)) return turn;
  const before = turn.live?.key === key && !reset ? turn.live.text : '';
  return {
    ...turn,
    status: 'running',
    away: false,
    live: { node, key, text: (before + text).slice(-MAX_LIVE) },
  };
}

/** `null` merges into the root, as a node's `ui.structured` does. */
function withStructured(
  all: JsonObject,
  type: string | null,
  mode: string,
  data: Json,
): JsonObject {
  if (type === null) return deepMerge(all, data) as JsonObject;
  return { ...all, [type]: mode === 'merge' ? deepMerge(all[type], data) : data };
}

function asked(turn: Turn, frame: Extract<ChatFrame, { type: 'interrupt' }>): Turn {
  const known = turn.items.some(
    (item) => item.kind === 'asked' && item.requestId === frame.requestId,
  );
  const items: Item[] = known
    ? turn.items
    : [...turn.items, { kind: 'asked', id: frame.requestId, requestId: frame.requestId }];
  return { ...turn, items, live: null, status: frame.status === 'open' ? 'waiting' : turn.status };
}

/** A run that handed over is not the end: the turn goes on with the run that follows. */
function ended(turn: Turn, status: RunStatus, result: Json): Turn {
  const handed = turn.items.findLast((item) => item.kind === 'handed');
  const follows =
    status === 'completed' && handed !== undefined && handed.runId !== turn.runId
      ? handed.runId
      : null;
  if (follows !== null) return { ...turn, runId: follows, seen: 0, status: 'running', live: null };
  return { ...turn, status: status as Turn['status'], result, live: null };
}

/** What the assistant said in a turn, as later requests repeat it. */
export const saidIn = (turn: Turn): string[] =>
  turn.items.flatMap((item) => (item.kind === 'message' ? [item.content] : []));

/** Streamed text that people can read; a model that writes JSON for the next step is only at work. */
export function readableLive(live: Live | null): string {
  const text = live?.text.trimStart() ?? '';
  return /^[[{`]/.test(text) ? '' : text;
}
