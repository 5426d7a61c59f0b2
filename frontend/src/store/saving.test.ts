import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftPatch, GraphDetail, NodeDoc } from '../api/types/types.ts';
import { withRecords } from '../graph/document/diff.ts';
import { useEditor } from './editor.ts';
import { recoverUnsaved, resolveConflict, saveNow, startAutosave } from './saving.ts';

const nothing = { nodes: [], edges: [], deleted_nodes: [], deleted_edges: [], graph: null };
const nodes: NodeDoc[] = [
  { id: 'a', type: 'step', label: 'A' },
  { id: 'b', type: 'step', label: 'B' },
];
const detail = {
  id: 'g1',
  name: 'G',
  revision: 1,
  document: { graphwright: 1, id: 'g', nodes, edges: [] },
  problems: [],
  can: { edit: true, publish: true, run: true },
} as unknown as GraphDetail;

type Reply = { status: number; body: unknown } | 'unreachable';
let sent: DraftPatch[] = [];
let replies: Reply[] = [];
let stored = new Map<string, string>();
let stop: () => void;

const editor = () => useEditor.getState();
const rename = (id: string, text: string) =>
  editor().gesture('Rename', (records) =>
    withRecords(records, [{ kind: 'node', id, value: { ...records.nodes.get(id), label: text } }]),
  );
const labelOf = (id: string) => editor().records.nodes.get(id)?.label;
const ok = (revision: number, others: object = {}): Reply => ({
  status: 200,
  body: { revision, problems: [], others: { ...nothing, ...others } },
});

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  replies = [];
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)) as DraftPatch);
    const reply = replies.shift() ?? ok(99);
    if (reply === 'unreachable') return Promise.reject(new TypeError('no network'));
    return Promise.resolve(
      new Response(JSON.stringify(reply.body), {
        status: reply.status,
        headers: { 'content-type': 'application/json' },
      }),
    );
  });
  editor().load(detail, new Map());
  stop = startAutosave();
});

afterEach(() => {
  stop();
  useEditor.setState({ graphId: '' });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('changes are saved together, a moment after the last, only what changed', async () => {
  replies = [ok(2)];
  rename('a', 'New');
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toEqual([]);
  rename('a', 'Newer');
  await vi.advanceTimersByTimeAsync(700);

  expect(sent).toMatchObject([{ revision: 1, set_nodes: [{ id: 'a', label: 'Newer' }] }]);
  expect(sent[0]?.set_nodes).toHaveLength(1);
  expect([editor().save, editor().revision, stored.size]).toEqual(['saved', 2, 0]);
});

test('an answer that brings no work of others draws nothing anew', async () => {
  replies = [ok(2)];
  rename('a', 'New');
  const drawn = editor().nodes;
  await saveNow();

  expect([editor().save, editor().base === editor().records]).toEqual(['saved', true]);
  expect(editor().nodes).toBe(drawn);
});

test('unreachable: kept in the browser, tried again, then saved', async () => {
  replies = ['unreachable', ok(2)];
  rename('a', 'New');
  await vi.advanceTimersByTimeAsync(700);
  expect([editor().save, stored.size]).toEqual(['offline', 1]);

  await vi.advanceTimersByTimeAsync(1500);

  expect([editor().save, stored.size, sent.length]).toEqual(['saved', 0, 2]);
});

test('unsaved work of an earlier visit comes back and is saved', async () => {
  replies = ['unreachable'];
  rename('a', 'Kept');
  await vi.advanceTimersByTimeAsync(700);
  useEditor.setState({ graphId: '' });
  editor().load({ ...detail, revision: 5 }, new Map());
  replies = [ok(6)];

  recoverUnsaved();
  await saveNow();

  expect(labelOf('a')).toBe('Kept');
  expect(sent.at(-1)).toMatchObject({ revision: 5, set_nodes: [{ id: 'a', label: 'Kept' }] });
});

test('what others changed arrives with the answer, and is not sent back', async () => {
  replies = [ok(3, { nodes: [{ ...nodes[1], label: 'Theirs' }] })];
  rename('a', 'Mine');
  await saveNow();

  expect([labelOf('a'), labelOf('b'), editor().save]).toEqual(['Mine', 'Theirs', 'saved']);
  editor().undo();
  expect([labelOf('a'), labelOf('b')]).toEqual(['A', 'Theirs']);
});

test('a stale save of other fields merges by itself and is sent again with the new revision', async () => {
  replies = [
    {
      status: 409,
      body: {
        code: 'StaleRevision',
        revision: 7,
        conflicts: [{ kind: 'node', id: 'a', theirs: { ...nodes[0], disabled: true } }],
        others: nothing,
      },
    },
    ok(8),
  ];
  rename('a', 'Mine');
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);

  expect(sent[1]).toMatchObject({
    revision: 7,
    set_nodes: [{ id: 'a', label: 'Mine', disabled: true }],
  });
  expect(editor().conflict).toBeNull();
});

test('a stale save of the same field asks, and nothing is sent until the choice', async () => {
  replies = [
    {
      status: 409,
      body: {
        code: 'StaleRevision',
        revision: 7,
        conflicts: [{ kind: 'node', id: 'a', theirs: { ...nodes[0], label: 'Theirs' } }],
        others: nothing,
      },
    },
    ok(8),
  ];
  rename('a', 'Mine');
  await saveNow();
  await vi.advanceTimersByTimeAsync(5000);
  expect([editor().save, sent.length, labelOf('a')]).toEqual(['conflict', 1, 'Mine']);

  resolveConflict(() => 'theirs');
  await vi.advanceTimersByTimeAsync(10);

  expect([labelOf('a'), editor().save, editor().revision]).toEqual(['Theirs', 'saved', 8]);
});

test('typing during a save is saved after it', async () => {
  replies = [ok(2), ok(3)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'Two');
  await saving;
  await vi.advanceTimersByTimeAsync(700);

  expect(sent.map((patch) => [patch.revision, patch.set_nodes?.[0]?.label])).toEqual([
    [1, 'One'],
    [2, 'Two'],
  ]);
});

/** Close the editor as its page does. */
function leave() {
  stop();
  useEditor.setState({ graphId: '' });
}

/** Open the editor again, on what the server holds by now. */
function comeBack(revision: number, label: string) {
  editor().load(
    {
      ...detail,
      revision,
      document: {
        ...detail.document,
        nodes: nodes.map((node) => (node.id === 'a' ? { ...node, label } : node)),
      },
    },
    new Map(),
  );
  stop = startAutosave();
  recoverUnsaved();
}

test('a save that fails while one leaves keeps the work', async () => {
  replies = ['unreachable'];
  rename('a', 'Kept');
  leave();
  await vi.advanceTimersByTimeAsync(5000);
  expect([sent.length, stored.size]).toEqual([1, 1]);

  comeBack(1, 'A');
  expect(labelOf('a')).toBe('Kept');
});

test('a save that is refused while one leaves keeps the work', async () => {
  replies = [
    {
      status: 409,
      body: {
        code: 'StaleRevision',
        revision: 7,
        conflicts: [{ kind: 'node', id: 'a', theirs: { ...nodes[0], label: 'Theirs' } }],
        others: nothing,
      },
    },
  ];
  rename('a', 'Kept');
  leave();
  await vi.advanceTimersByTimeAsync(5000);

  expect([sent.length, stored.size]).toEqual([1, 1]);
});

test('a save that succeeds while one leaves leaves nothing behind', async () => {
  replies = [ok(2)];
  rename('a', 'Saved');
  leave();
  await vi.advanceTimersByTimeAsync(10);

  expect([sent.length, stored.size]).toEqual([1, 0]);
});

test('what was typed during the save that one left in is kept, as a change of what was saved', async () => {
  replies = [ok(2)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'Two');
  rename('b', 'Too');
  leave();
  await saving;
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent.map((patch) => patch.set_nodes?.[0]?.label)).toEqual(['One']);

  replies = [ok(3)];
  comeBack(2, 'One');
  expect([labelOf('a'), labelOf('b'), editor().conflict]).toEqual(['Two', 'Too', null]);
  await saveNow();
  expect([sent.at(-1)?.revision, stored.size]).toEqual([2, 0]);
});

test('what was taken back during the save that one left in is taken back', async () => {
  replies = [ok(2)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'A');
  leave();
  await saving;
  await vi.advanceTimersByTimeAsync(10);

  comeBack(2, 'One');
  expect(labelOf('a')).toBe('A');
});

const dispute: Reply = {
  status: 409,
  body: {
    code: 'StaleRevision',
    revision: 7,
    conflicts: [{ kind: 'node', id: 'a', theirs: { ...nodes[0], label: 'Theirs' } }],
    others: nothing,
  },
};

test('while a conflict is open nothing is sent, asked for or not, and what is typed is kept', async () => {
  replies = [dispute];
  rename('a', 'Mine');
  await saveNow();
  rename('b', 'Typed meanwhile');
  await vi.advanceTimersByTimeAsync(60_000);
  window.dispatchEvent(new Event('online'));
  await saveNow();

  expect([sent.length, editor().save, editor().conflict?.revision]).toEqual([1, 'conflict', 7]);
  expect([...stored.values()].join()).toContain('Typed meanwhile');
});

test('leaving in a conflict sends nothing and keeps the work', async () => {
  replies = [dispute];
  rename('a', 'Mine');
  await saveNow();
  leave();
  await vi.advanceTimersByTimeAsync(60_000);

  expect([sent.length, stored.size]).toEqual([1, 1]);
});

test('keeping mine in a conflict sends mine over theirs', async () => {
  replies = [dispute, ok(8)];
  rename('a', 'Mine');
  await saveNow();
  resolveConflict(() => 'mine');
  await vi.advanceTimersByTimeAsync(10);

  expect(sent[1]).toMatchObject({ revision: 7, set_nodes: [{ id: 'a', label: 'Mine' }] });
  expect(editor().save).toBe('saved');
});

test.each([
  ['its end', { target: 'b' }],
  ['its beginning', { source: 'b' }],
  ['its condition', { condition: 'x > 1' }],
  ['its word', { when: 'yes' }],
  ['its outcome', { on: 'failed' }],
  ['its rank', { priority: 3 }],
  ['its label', { label: 'L' }],
] as const)('an edge of which only %s changed is saved whole, and undone', async (_, change) => {
  const edge = { id: 'e', source: 'a', target: 'a' };
  editor().load({ ...detail, document: { ...detail.document, edges: [edge] } }, new Map());
  replies = [ok(2), ok(3)];
  editor().gesture('Edge', (records) =>
    withRecords(records, [{ kind: 'edge', id: 'e', value: { ...edge, ...change } }]),
  );
  await vi.advanceTimersByTimeAsync(700);
  expect(sent[0]?.set_edges).toEqual([{ ...edge, ...change }]);

  editor().undo();
  await vi.advanceTimersByTimeAsync(700);
  expect([editor().records.edges.get('e'), sent[1]?.set_edges]).toEqual([edge, [edge]]);
});

test('an unload of the page sends what is unsaved, and nothing when all is saved', async () => {
  window.dispatchEvent(new Event('pagehide'));
  expect(sent).toEqual([]);
  rename('a', 'Late');
  window.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(10);

  expect(sent).toMatchObject([{ set_nodes: [{ id: 'a', label: 'Late' }] }]);
});

test('a server that is away is asked less and less often, and again from the start once it was there', async () => {
  replies = ['unreachable', 'unreachable', 'unreachable', ok(2), 'unreachable', ok(3)];
  rename('a', 'One');
  await vi.advanceTimersByTimeAsync(600 + 1000 + 1999);
  expect(sent.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1 + 5000);
  expect([sent.length, editor().save]).toEqual([4, 'saved']);

  rename('a', 'Two');
  await vi.advanceTimersByTimeAsync(600 + 1000);
  expect([sent.length, editor().save]).toEqual([6, 'saved']);
});

test('a refused save says why and keeps the work', async () => {
  replies = [{ status: 422, body: { code: 'InvalidValue', detail: 'No such field.' } }];
  rename('a', 'New');
  await saveNow();

  expect([editor().save, editor().saveError, labelOf('a'), stored.size]).toEqual([
    'failed',
    'No such field.',
    'New',
    1,
  ]);
});
