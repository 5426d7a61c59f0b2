import { beforeEach, expect, it, vi } from 'vitest';
import type * as Client from '../../api/http/client.ts';
import { api } from '../../api/http/client.ts';
import { withRecords } from '../../graph/document/diff.ts';
import { renameNode } from '../../graph/editing/operations.ts';
import { useEditor } from '../../store/editor.ts';
import { goesOnAs } from '../../store/merging/identity.ts';
import { saveNow } from '../../store/saving.ts';
import { loadDraft } from '../../store/testing.tsx';
import { idFor, retitle } from './titling.ts';

vi.mock('../../store/saving.ts', () => ({ saveNow: vi.fn(() => Promise.resolve()) }));
vi.mock('../../api/http/client.ts', async (real) => ({
  ...(await real<typeof Client>()),
  api: { post: vi.fn() },
}));

const editor = () => useEditor.getState();
const type = (id: string, label: string) =>
  editor().edit((records) => {
    const node = records.nodes.get(id);
    return node ? withRecords(records, [{ kind: 'node', id, value: { ...node, label } }]) : records;
  });

beforeEach(() => {
  vi.mocked(api.post).mockReset();
  useEditor.setState({ company: 0 });
  loadDraft({
    nodes: [
      { id: 'agent', type: 'step', label: 'Agent' },
      { id: 'b', type: 'step', label: 'B', config: { prompt: '{{ outputs.agent }}' } },
    ],
    edges: [{ id: 'ab', source: 'agent', target: 'b' }],
  });
});

it('lets the id follow the title in one undo step', async () => {
  const prompt = { op: 'set', part: 'node', id: 'b', path: ['config', 'prompt'] };
  const edits = [{ ...prompt, value: '{{ outputs.check_the_cv }}' }];
  vi.mocked(api.post).mockResolvedValue({ edits, stuck: [], callers: [], kept: false });
  type('agent', 'Check the CV');

  await retitle('agent', 'Agent');

  expect(api.post).toHaveBeenCalledWith('graphs/g1/draft/rename/', {
    kind: 'node',
    from: 'agent',
    to: 'check_the_cv',
    fresh: true,
  });
  expect([...editor().records.nodes.keys()].toSorted()).toEqual(['b', 'check_the_cv']);
  expect(editor().records.edges.get('ab')?.source).toBe('check_the_cv');
  expect(editor().undoStack).toHaveLength(1);
  editor().undo();
  expect(editor().records.nodes.get('agent')?.label).toBe('Agent');
});

it('keeps the id once something has run, and the title is one undo step', async () => {
  vi.mocked(api.post).mockResolvedValue({ edits: [], stuck: [], callers: [], kept: true });
  type('agent', 'Check');

  await retitle('agent', 'Agent');

  expect(editor().records.nodes.get('agent')?.label).toBe('Check');
  expect(editor().undoStack).toHaveLength(1);
});

it('keeps the id while others have the draft open', () => {
  useEditor.setState({ company: 1 });

  expect(idFor(editor().records, 'agent', 'Agent', 'Check')).toBeNull();
});

/** Others made a node of this id, too: the own one has another now. */
function standsApart() {
  goesOnAs('agent', 'agent_2');
  editor().edit((records) => renameNode(records, 'agent', 'agent_2', editor().types));
  const value = { id: 'agent', type: 'step', label: 'Theirs' };
  editor().edit((records) => withRecords(records, [{ kind: 'node', id: 'agent', value }]));
}
const labels = () => [...editor().records.nodes.values()].map(({ id, label }) => [id, label]);
const apart = [
  ['agent', 'Theirs'],
  ['agent_2', 'Check'],
  ['b', 'B'],
];

it('leaves the node of others alone that came with the save under its id', async () => {
  vi.mocked(saveNow).mockImplementationOnce(() => Promise.resolve(standsApart()));
  type('agent', 'Check');

  await retitle('agent', 'Agent');

  expect(api.post).not.toHaveBeenCalled();
  expect(labels().toSorted()).toEqual(apart);
});

it('leaves the node of others alone that came while it was asked what follows', async () => {
  vi.mocked(api.post).mockImplementation(() => {
    standsApart();
    return Promise.resolve({ edits: [], stuck: [], callers: [], kept: false });
  });
  type('agent', 'Check');

  await retitle('agent', 'Agent');

  expect(labels().toSorted()).toEqual(apart);
});

it.each([
  ['agent', 'Agent', 'Check', 'check'],
  ['agent', 'Agent', 'B', 'b_2'],
  ['agent', 'Agent', 'Agent', null],
  ['agent', 'Agent', '???', null],
  ['agent', 'Chosen by hand', 'Check', null],
])('the id %s, called %s, is under the title %s: %s', (id, before, title, to) => {
  expect(idFor(editor().records, id, before, title)).toBe(to);
});
