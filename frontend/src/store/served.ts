/** A draft whose saves are answered by a test. */

import { vi } from 'vitest';
import type { DraftPatch, GraphDetail, NodeDoc } from '../api/types/types.ts';
import { withRecords } from '../graph/document/diff.ts';
import { useEditor } from './editor.ts';
import { startAutosave } from './saving.ts';

export const nothing = { nodes: [], edges: [], deleted_nodes: [], deleted_edges: [], graph: null };
export const nodes: NodeDoc[] = [
  { id: 'a', type: 'step', label: 'A' },
  { id: 'b', type: 'step', label: 'B' },
];
export const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document: { graphwright: 1, id: 'g', nodes, edges: [] },
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;

export type Reply = { status: number; body: unknown } | 'unreachable';

/** What was sent, what is answered next, what the browser keeps, and what ends autosaving. */
export const served = {
  sent: [] as DraftPatch[],
  replies: [] as Reply[],
  stored: new Map<string, string>(),
  stop: () => {},
};

export const editor = () => useEditor.getState();
export const rename = (id: string, text: string) =>
  editor().gesture('Rename', (records) =>
    withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), label: text } }]),
  );
export const labelOf = (id: string) => editor().records.nodes.get(id)?.label;
export const ok = (revision: number, others: object = {}): Reply => ({
  status: 200,
  body: { revision, problems: [], others: { ...nothing, ...others } },
});

/** Load the draft, on a server that answers as `served` says. */
export function beginServed(): void {
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  Object.assign(served, { sent: [], replies: [], stored });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    served.sent.push(JSON.parse(String(init.body)) as DraftPatch);
    const reply = served.replies.shift() ?? ok(99);
    if (reply === 'unreachable') return Promise.reject(new TypeError('no network'));
    return Promise.resolve(
      new Response(JSON.stringify(reply.body), {
        status: reply.status,
        headers: { 'content-type': 'application/json' },
      }),
    );
  });
  editor().load(detail, new Map());
  served.stop = startAutosave();
}

export function endServed(): void {
  served.stop();
  useEditor.setState({ graphId: '' });
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

/** Close the editor as its page does. */
export function leave() {
  served.stop();
  useEditor.setState({ graphId: '' });
}

/** A save that others were before with, in the label of `a`. */
export const dispute: Reply = {
  status: 409,
  body: {
    code: 'StaleRevision',
    revision: 7,
    conflicts: [{ kind: 'node', id: 'a', theirs: { ...nodes[0], label: 'Theirs' } }],
    others: nothing,
  },
};
