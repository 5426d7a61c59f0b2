import { beforeEach, expect, it, vi } from 'vitest';
import { api } from '../../api/http/client.ts';
import { renameNode } from '../../graph/editing/operations.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft } from '../../store/testing.tsx';
import { renameThroughout } from './renaming.ts';

const { shown } = vi.hoisted(() => ({ shown: vi.fn() }));
vi.mock('@mantine/notifications', () => ({ notifications: { show: shown } }));
vi.mock('../../store/saving.ts', () => ({ saveNow: () => Promise.resolve() }));
vi.mock('../../api/http/client.ts', () => ({ api: { post: vi.fn() }, messageOf: String }));

const editor = () => useEditor.getState();
const prompt = {
  op: 'set',
  part: 'node',
  id: 'b',
  path: ['config', 'prompt'],
  value: '{{ outputs.x }}',
};

beforeEach(() => {
  shown.mockClear();
  loadDraft({
    nodes: [
      { id: 'a', type: 'step', label: 'A' },
      { id: 'b', type: 'step', label: 'B', config: { prompt: '{{ outputs.a }}' } },
    ],
  });
});

it('is one undo step over texts, id and wires', async () => {
  vi.mocked(api.post).mockResolvedValue({ edits: [prompt], stuck: [], callers: [], kept: false });
  const { types } = editor();

  await renameThroughout({ kind: 'node', from: 'a', to: 'x' }, 'Rename', (records) =>
    renameNode(records, 'a', 'x', types),
  );

  expect(api.post).toHaveBeenCalledWith('graphs/g1/draft/rename/', {
    kind: 'node',
    from: 'a',
    to: 'x',
  });
  expect(editor().records.nodes.get('b')?.config).toEqual({ prompt: '{{ outputs.x }}' });
  expect(editor().records.nodes.has('x')).toBe(true);
  expect([...editor().records.edges.values()].some((edge) => edge.target === 'x')).toBe(true);
  expect(editor().undoStack).toHaveLength(1);
  expect(shown).not.toHaveBeenCalled();
  editor().undo();
  expect([...editor().records.nodes.keys()].toSorted()).toEqual(['a', 'b']);
});

it('says what could not follow', async () => {
  vi.mocked(api.post).mockResolvedValue({
    edits: [],
    stuck: [{ part: 'node', id: 'b', path: ['config', 'prompt'] }],
    callers: [{ graph_id: '1', graph: 'Hiring', node: 'Ask' }],
    kept: false,
  });

  await renameThroughout({ kind: 'field', from: 'level', to: 'grade' }, 'Rename field');

  expect(shown).toHaveBeenCalledWith(
    expect.objectContaining({
      message: 'Still says level: B. Change it there. Other workflows name it too: Ask in Hiring.',
    }),
  );
});

it('changes nothing where it is refused', async () => {
  vi.mocked(api.post).mockRejectedValue(new Error('taken'));

  expect(await renameThroughout({ kind: 'field', from: 'a', to: 'b' }, 'Rename field')).toBe(false);
  expect(editor().undoStack).toEqual([]);
  expect(shown).toHaveBeenCalled();
});
