import type { Frame, Place, Topic } from './realtime.ts';

/** What is sent to the server; `docs/api.md`, Websocket. */
export type ClientFrame =
  | { op: 'sub'; run: string; after: number }
  | { op: 'sub'; topic: string; workspace?: string }
  | { op: 'sub'; graph: string; client: string }
  | { op: 'sub'; item: string }
  | { op: 'unsub'; run?: string; topic?: string; graph?: string; item?: string }
  | ({ op: 'presence'; selection: string[] } & Place)
  | { op: 'ping' };

/** One text per thing that can be followed: of a topic, or of a frame about it. */
export function topicId(
  topic: Topic | { run?: string; topic?: string; graph?: string; item?: string },
): string {
  if ('run' in topic && topic.run !== undefined) return `run:${topic.run}`;
  if ('topic' in topic && topic.topic !== undefined) return `topic:${topic.topic}`;
  if ('item' in topic && topic.item !== undefined) return `item:${topic.item}`;
  return `graph:${'graph' in topic ? (topic.graph ?? '') : ''}`;
}

/** The frame that ends following a topic. */
export function unsubFrame(topic: Topic): ClientFrame {
  if ('run' in topic) return { op: 'unsub', run: topic.run };
  if ('topic' in topic) return { op: 'unsub', topic: topic.topic };
  return 'item' in topic ? { op: 'unsub', item: topic.item } : { op: 'unsub', graph: topic.graph };
}

/** Return the frame in a message, null for what is not one. */
export function parseFrame(text: unknown): Frame | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'op' in value ? (value as Frame) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
