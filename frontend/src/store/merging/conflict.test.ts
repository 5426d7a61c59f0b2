import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NodeDoc } from '../../api/types/types.ts';
import { type RecordValue, withRecords } from '../../graph/document/diff.ts';
import { nodeType } from '../../graph/document/testing.ts';
import { addNode } from '../../graph/editing/operations.ts';
import { selectedEdgeIds, selectedIds, useEditor } from '../editor.ts';
import { sameNode } from './identity.ts';
import { resolveConflict, saveNow } from '../saving.ts';
import {
  beginServed,
  detail,
  dispute,
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
} from '../served.ts';

beforeEach(beginServed);
afterEach(endServed);

test('while a conflict waits everything else is saved, and what is in dispute is kept', async () => {
  served.replies = [dispute, ok(8)];
  rename('a', 'Mine');
  await saveNow();
  rename('b', 'Typed meanwhile');
  await vi.advanceTimersByTimeAsync(60_000);

  expect(served.sent[1]).toMatchObject({
    revision: 7,
    set_nodes: [{ id: 'b', label: 'Typed meanwhile' }],
  });
  expect(served.sent[1]?.set_nodes).toHaveLength(1);
  expect([served.sent.length, editor().save, labelOf('a')]).toEqual([2, 'conflict', 'Mine']);
  expect([...served.stored.values()].join()).toContain('Mine');
});

test('a conflict shows the newest of the others, and is over once both say the same', async () => {
  served.replies = [dispute, ok(8, { nodes: [{ ...nodes[0], label: 'Theirs, later' }] })];
  rename('a', 'Mine');
  await saveNow();
  await saveNow();
  expect(editor().conflict?.disputes).toMatchObject([{ theirs: { label: 'Theirs, later' } }]);

  served.replies = [ok(9, { nodes: [{ ...nodes[0], label: 'Mine' }] })];
  await saveNow();

  expect([editor().conflict, editor().save, served.stored.size]).toEqual([null, 'saved', 0]);
});

test('a choice made while a save is under way loses nothing', async () => {
  served.replies = [dispute, ok(8), ok(9)];
  rename('a', 'Mine');
  await saveNow();
  rename('b', 'Other');
  const saving = saveNow();
  resolveConflict(() => 'mine');
  await saving;
  await vi.advanceTimersByTimeAsync(700);

  expect(served.sent[2]).toMatchObject({ revision: 8, set_nodes: [{ id: 'a', label: 'Mine' }] });
  expect([editor().save, served.stored.size]).toEqual(['saved', 0]);
});

test('leaving while a conflict waits and a save is under way keeps what is in dispute', async () => {
  served.replies = [dispute, ok(8)];
  rename('a', 'Mine');
  await saveNow();
  rename('b', 'Other');
  const saving = saveNow();
  leave();
  await saving;

  expect([...served.stored.values()].join()).toContain('Mine');
});

test('two people at two ends of a text are merged, and nobody is asked', async () => {
  const text = 'Check the wages of the applicant.';
  const prompted = { ...nodes[0], config: { prompt: text } } as NodeDoc;
  editor().load({ ...detail, document: { ...detail.document, nodes: [prompted] } }, new Map());
  const theirs = { ...prompted, config: { prompt: `Please do: ${text}` } };
  const conflicts = [{ kind: 'node', id: 'a', theirs }];
  const body = { code: 'StaleRevision', revision: 7, conflicts, others: nothing };
  served.replies = [{ status: 409, body }, ok(8)];
  editor().edit((records) =>
    withRecords(records, [
      { kind: 'node', id: 'a', value: { ...prompted, config: { prompt: `${text} Be brief.` } } },
    ]),
  );
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);

  expect([editor().conflict, editor().save]).toEqual([null, 'saved']);
  expect(served.sent[1]?.set_nodes?.[0]?.config).toEqual({
    prompt: `Please do: ${text} Be brief.`,
  });
});

test('leaving in a conflict sends nothing and keeps the work', async () => {
  served.replies = [dispute];
  rename('a', 'Mine');
  await saveNow();
  leave();
  await vi.advanceTimersByTimeAsync(60_000);

  expect([served.sent.length, served.stored.size]).toEqual([1, 1]);
});

test('keeping mine in a conflict sends mine over theirs', async () => {
  served.replies = [dispute, ok(8)];
  rename('a', 'Mine');
  await saveNow();
  resolveConflict(() => 'mine');
  await vi.advanceTimersByTimeAsync(10);

  expect(served.sent[1]).toMatchObject({ revision: 7, set_nodes: [{ id: 'a', label: 'Mine' }] });
  expect(editor().save).toBe('saved');
});

const agentType = {
  ...nodeType('agent', { agent_id: { type: 'string', 'x-widget': 'agent' } }),
  label: 'Agent',
};
agentType.config_schema = { ...agentType.config_schema, required: ['agent_id'] };
/** Add an agent here, and give what another person has who adds one at the same time. */
function bothAdd(title: string) {
  const types = new Map([['agent', agentType]]);
  editor().load({ ...detail, document: { ...detail.document, agents: [{ id: 'old' }] } }, types);
  const add = (at: number, name: string) =>
    addNode(editor().records, agentType, { x: at, y: 0 }, undefined, name).records;
  const theirs = add(900, 'Agent');
  editor().gesture('Add Agent', () => add(0, title));
  return { node: theirs.nodes.get('agent'), agents: theirs.settings.agents };
}
const stale = (conflicts: object[], others: object = {}): Reply => ({
  status: 409,
  body: { code: 'StaleRevision', revision: 7, conflicts, others: { ...nothing, ...others } },
});

test('two people who each add an agent are asked nothing', async () => {
  const { node, agents } = bothAdd('Extract');
  const conflicts = [{ kind: 'graph', id: 'agents', theirs: agents }];
  served.replies = [stale(conflicts, { nodes: [node] }), ok(8)];
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);

  expect([editor().conflict, editor().save]).toEqual([null, 'saved']);
  expect(editor().records.settings.agents?.map(({ id }) => id)).toEqual([
    ...['old', 'agent', 'extract'],
  ]);
  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b', 'extract', 'agent']);
});

// lists that say the same are no conflict, and the server does not send them
test.each([
  ['is told', { model: 'local/other' }],
  ['is not', null],
])('under one name they are two, where the list of agents %s', async (_, other) => {
  const { node, agents = [] } = bothAdd('Agent');
  const listed = agents.map((agent) => (agent.id === 'agent' ? { ...agent, ...other } : agent));
  const told = other ? [{ kind: 'graph', id: 'agents', theirs: listed }] : [];
  editor().select(['agent']);
  served.replies = [stale([{ kind: 'node', id: 'agent', theirs: node }, ...told]), ok(8)];
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);

  const { records, nodes: drawn, undoStack } = editor();
  expect(records.nodes.get('agent')).toEqual(node);
  expect(records.nodes.get('agent_2')).toMatchObject({
    config: { agent_id: 'agent_2' },
    position: { x: 0, y: 0 },
  });
  expect(records.settings.agents).toHaveLength(3);
  expect(records.settings.agents).toEqual(
    expect.arrayContaining([...listed, { id: 'agent_2', model: 'local/default' }]),
  );
  expect(drawn.filter(({ selected }) => selected).map(({ id }) => id)).toEqual(['agent_2']);
  expect([editor().save, undoStack]).toEqual(['saved', []]);
  expect(served.sent[1]?.set_nodes?.map(({ id }) => id)).toEqual(['agent_2']);
});

test('a node whose save was never answered is no node of others', async () => {
  bothAdd('Agent');
  const sent = editor().records.nodes.get('agent');
  served.replies = ['unreachable', stale([{ kind: 'node', id: 'agent', theirs: sent }]), ok(8)];
  await saveNow();
  rename('agent', 'Extract');
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);

  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b', 'agent']);
  expect([labelOf('agent'), editor().save]).toEqual(['Extract', 'saved']);
});

/** Another person's agent comes with the answer to a save, which was made at the same time as one here. */
async function hearTheSame(node: NodeDoc | undefined) {
  served.replies = [stale([{ kind: 'node', id: 'agent', theirs: node }]), ok(8)];
  await saveNow();
  await vi.advanceTimersByTimeAsync(10);
}
const agentIds = () => editor().records.settings.agents?.map(({ id }) => id);

test('the agent of others stays where what is being typed is taken back', async () => {
  const { node } = bothAdd('Agent');
  editor().edit((records) =>
    withRecords(records, [
      { kind: 'node', id: 'agent', value: { ...records.nodes.get('agent'), label: 'Typed' } },
    ]),
  );
  await hearTheSame(node);
  expect(labelOf('agent_2')).toBe('Typed');
  editor().undo();

  expect([labelOf('agent'), labelOf('agent_2')]).toEqual(['Agent', 'Agent']);
  expect(agentIds()).toEqual(['agent', 'old', 'agent_2']);
});

test('the agent of others stays where a step that is still open made one of its id', async () => {
  const { node } = bothAdd('Agent');
  useEditor.setState(({ base }) => ({ committed: base, undoStack: [] }));
  await hearTheSame(node);
  expect(agentIds()).toEqual(['agent', 'old', 'agent_2']);
  editor().undo();

  expect([...editor().records.nodes.keys()]).toEqual(['a', 'b', 'agent']);
  expect(agentIds()).toEqual(['agent', 'old']);
});

test('a form that is typed into goes on with its node, and that of others is another', async () => {
  const { node } = bothAdd('Agent');
  const form = sameNode('agent');
  await hearTheSame(node);

  expect(sameNode('agent_2')).toBe(form);
  expect(sameNode('agent')).not.toBe(form);
});

test('no step that is left acts on the node of others', async () => {
  const { node } = bothAdd('Agent');
  const wire = { id: 'e', source: 'a', target: 'agent' };
  const step = (label: string, record: RecordValue) =>
    editor().gesture(label, (records) => withRecords(records, [record]));
  const agents = (model: string, other: string) => [
    { id: 'old', model: other },
    { id: 'agent', model },
  ];
  step('Agent', { kind: 'setting', id: 'agents', value: agents('local/big', 'x') });
  step('Other agent', { kind: 'setting', id: 'agents', value: agents('local/big', 'y') });
  step('Connect', { kind: 'edge', id: 'e', value: wire });
  step('Where to', { kind: 'edge', id: 'e', value: { ...wire, source: 'b' } });
  rename('b', 'Other');
  await hearTheSame(node);

  expect(editor().undoStack.map(({ label }) => label)).toEqual([
    ...['Other agent', 'Where to', 'Rename'],
  ]);
  editor().undo();
  editor().undo();
  editor().undo();
  expect(editor().records.edges.get('e')).toEqual({ ...wire, target: 'agent_2' });
  expect(editor().records.nodes.get('agent')).toEqual(node);
  expect(agentIds()?.toSorted()).toEqual(['agent', 'agent_2', 'old']);
});

test('a wire that is selected stays selected', async () => {
  const { node } = bothAdd('Agent');
  const wire = { id: 'e', source: 'a', target: 'agent' };
  editor().gesture('Connect', (records) =>
    withRecords(records, [{ kind: 'edge', id: 'e', value: wire }]),
  );
  editor().select(['e']);
  await hearTheSame(node);

  expect([selectedEdgeIds(), selectedIds()]).toEqual([['e'], []]);
});
