import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRecords } from '../graph/document/diff.ts';
import { useEditor } from './editor.ts';
import { hearOthers, recoverUnsaved, resolveConflict, saveNow, startAutosave } from './saving.ts';
import {
  beginServed,
  detail,
  editor,
  endServed,
  labelOf,
  leave,
  nodes,
  nothing,
  ok,
  rename,
  type Reply,
  served,
} from './served.ts';

beforeEach(beginServed);
afterEach(endServed);

test('changes are saved together, a moment after the last, only what changed', async () => {
  served.replies = [ok(2)];
  rename('a', 'New');
  await vi.advanceTimersByTimeAsync(300);
  expect(served.sent).toEqual([]);
  rename('a', 'Newer');
  await vi.advanceTimersByTimeAsync(700);

  expect(served.sent).toMatchObject([{ revision: 1, set_nodes: [{ id: 'a', label: 'Newer' }] }]);
  expect(served.sent[0]?.set_nodes).toHaveLength(1);
  expect([editor().save, editor().revision, served.stored.size]).toEqual(['saved', 2, 0]);
});

test('an answer that brings no work of others draws nothing anew', async () => {
  served.replies = [ok(2)];
  rename('a', 'New');
  const drawn = editor().nodes;
  await saveNow();

  expect([editor().save, editor().base === editor().records]).toEqual(['saved', true]);
  expect(editor().nodes).toBe(drawn);
});

test('unreachable: kept in the browser, tried again, then saved', async () => {
  served.replies = ['unreachable', ok(2)];
  rename('a', 'New');
  await vi.advanceTimersByTimeAsync(700);
  expect([editor().save, served.stored.size]).toEqual(['offline', 1]);

  await vi.advanceTimersByTimeAsync(1500);

  expect([editor().save, served.stored.size, served.sent.length]).toEqual(['saved', 0, 2]);
});

test('unsaved work of an earlier visit comes back and is saved', async () => {
  served.replies = ['unreachable'];
  rename('a', 'Kept');
  await vi.advanceTimersByTimeAsync(700);
  useEditor.setState({ graphId: '' });
  editor().load({ ...detail, revision: 5 }, new Map());
  served.replies = [ok(6)];

  recoverUnsaved();
  await saveNow();

  expect(labelOf('a')).toBe('Kept');
  expect(served.sent.at(-1)).toMatchObject({
    revision: 5,
    set_nodes: [{ id: 'a', label: 'Kept' }],
  });
});

test('what others changed arrives with the answer, and is not sent back', async () => {
  served.replies = [ok(3, { nodes: [{ ...nodes[1], label: 'Theirs' }] })];
  rename('a', 'Mine');
  await saveNow();

  expect([labelOf('a'), labelOf('b'), editor().save]).toEqual(['Mine', 'Theirs', 'saved']);
  editor().undo();
  expect([labelOf('a'), labelOf('b')]).toEqual(['A', 'Theirs']);
});

test('a stale save of other fields merges by itself and is sent again with the new revision', async () => {
  served.replies = [
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

  expect(served.sent[1]).toMatchObject({
    revision: 7,
    set_nodes: [{ id: 'a', label: 'Mine', disabled: true }],
  });
  expect(editor().conflict).toBeNull();
});

test('a stale save of the same field asks, and nothing is sent until the choice', async () => {
  served.replies = [
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
  expect([editor().save, served.sent.length, labelOf('a')]).toEqual(['conflict', 1, 'Mine']);

  resolveConflict(() => 'theirs');
  await vi.advanceTimersByTimeAsync(10);

  expect([labelOf('a'), editor().save, editor().revision]).toEqual(['Theirs', 'saved', 8]);
});

test('typing during a save is saved after it', async () => {
  served.replies = [ok(2), ok(3)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'Two');
  await saving;
  await vi.advanceTimersByTimeAsync(700);

  expect(served.sent.map((patch) => [patch.revision, patch.set_nodes?.[0]?.label])).toEqual([
    [1, 'One'],
    [2, 'Two'],
  ]);
});

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
  served.stop = startAutosave();
  recoverUnsaved();
}

test('a save that fails while one leaves keeps the work', async () => {
  served.replies = ['unreachable'];
  rename('a', 'Kept');
  leave();
  await vi.advanceTimersByTimeAsync(5000);
  expect([served.sent.length, served.stored.size]).toEqual([1, 1]);

  comeBack(1, 'A');
  expect(labelOf('a')).toBe('Kept');
});

test('a save that is refused while one leaves keeps the work', async () => {
  served.replies = [
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

  expect([served.sent.length, served.stored.size]).toEqual([1, 1]);
});

test('a save that succeeds while one leaves leaves nothing behind', async () => {
  served.replies = [ok(2)];
  rename('a', 'Saved');
  leave();
  await vi.advanceTimersByTimeAsync(10);

  expect([served.sent.length, served.stored.size]).toEqual([1, 0]);
});

test('what was typed during the save that one left in is kept, as a change of what was saved', async () => {
  served.replies = [ok(2)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'Two');
  rename('b', 'Too');
  leave();
  await saving;
  await vi.advanceTimersByTimeAsync(5000);
  expect(served.sent.map((patch) => patch.set_nodes?.[0]?.label)).toEqual(['One']);

  served.replies = [ok(3)];
  comeBack(2, 'One');
  expect([labelOf('a'), labelOf('b'), editor().conflict]).toEqual(['Two', 'Too', null]);
  await saveNow();
  expect([served.sent.at(-1)?.revision, served.stored.size]).toEqual([2, 0]);
});

test('what was taken back during the save that one left in is taken back', async () => {
  served.replies = [ok(2)];
  rename('a', 'One');
  const saving = saveNow();
  rename('a', 'A');
  leave();
  await saving;
  await vi.advanceTimersByTimeAsync(10);

  comeBack(2, 'One');
  expect(labelOf('a')).toBe('A');
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
  served.replies = [ok(2), ok(3)];
  editor().gesture('Edge', (records) =>
    withRecords(records, [{ kind: 'edge', id: 'e', value: { ...edge, ...change } }]),
  );
  await vi.advanceTimersByTimeAsync(700);
  expect(served.sent[0]?.set_edges).toEqual([{ ...edge, ...change }]);

  editor().undo();
  await vi.advanceTimersByTimeAsync(700);
  expect([editor().records.edges.get('e'), served.sent[1]?.set_edges]).toEqual([edge, [edge]]);
});

test('an unload of the page sends what is unsaved, and nothing when all is saved', async () => {
  window.dispatchEvent(new Event('pagehide'));
  expect(served.sent).toEqual([]);
  rename('a', 'Late');
  window.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(10);

  expect(served.sent).toMatchObject([{ set_nodes: [{ id: 'a', label: 'Late' }] }]);
});

test('a server that is away is asked less and less often, and again from the start once it was there', async () => {
  served.replies = ['unreachable', 'unreachable', 'unreachable', ok(2), 'unreachable', ok(3)];
  rename('a', 'One');
  await vi.advanceTimersByTimeAsync(600 + 1000 + 1999);
  expect(served.sent.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1 + 5000);
  expect([served.sent.length, editor().save]).toEqual([4, 'saved']);

  rename('a', 'Two');
  await vi.advanceTimersByTimeAsync(600 + 1000);
  expect([served.sent.length, editor().save]).toEqual([6, 'saved']);
});

test('a refused save says why and keeps the work', async () => {
  served.replies = [{ status: 422, body: { code: 'InvalidValue', detail: 'No such field.' } }];
  rename('a', 'New');
  await saveNow();

  expect([editor().save, editor().saveError, labelOf('a'), served.stored.size]).toEqual([
    'failed',
    'No such field.',
    'New',
    1,
  ]);
});

const theirA = (label: string) => ({ nodes: [{ ...nodes[0], label }] });

test("what was only asked for and never answered makes nothing of others one's own", async () => {
  served.replies = ['unreachable', ok(2, theirA('Changed')), ok(3, theirA('A'))];
  await hearOthers(2);
  await hearOthers(3);
  await hearOthers(4);
  await saveNow();

  expect([labelOf('a'), editor().save]).toEqual(['A', 'saved']);
  expect(served.sent.flatMap((patch) => patch.set_nodes ?? [])).toEqual([]);
});

test("a save that was never answered makes its own changes alone one's own", async () => {
  const [first, ...later] = [ok(2, theirA('Changed')), ok(3, theirA('A')), ok(4)];
  served.replies = ['unreachable', first as Reply];
  rename('b', 'Mine');
  await saveNow();
  await hearOthers(2);
  served.replies = ['unreachable', ...later];
  await saveNow();
  await hearOthers(3);
  await saveNow();

  expect([labelOf('a'), labelOf('b'), editor().save]).toEqual(['A', 'Mine', 'saved']);
  expect(served.sent.flatMap(({ set_nodes: set }) => set ?? []).map(({ id }) => id)).toEqual([
    ...['b', 'b', 'b'],
  ]);
});

test("a change that was taken back unanswered is another person's where it comes later", async () => {
  served.replies = ['unreachable', ok(2), ok(3, theirA('Mine'))];
  rename('a', 'Mine');
  await saveNow();
  editor().undo();
  await saveNow();
  await hearOthers(3);

  expect([labelOf('a'), editor().save]).toEqual(['Mine', 'saved']);
});
