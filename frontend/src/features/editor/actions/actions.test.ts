import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Action } from '../../../actions/registry.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { arranging } from './arranging.ts';
import {
  anyNode,
  anything,
  chosen,
  editable,
  givesFields,
  isLedTo,
  oneEdge,
  oneNode,
  several,
} from './conditions.ts';
import { editing } from './editing.ts';
import { looking } from './looking.ts';
import type { EditorPageApi } from './pageApi.ts';

const editor = () => useEditor.getState();
const selected = () =>
  editor()
    .nodes.filter((node) => node.selected)
    .map((node) => node.id);
const place = (id: string) => editor().records.nodes.get(id)?.position;

function pageOf() {
  const page = {
    openQuickPalette: vi.fn(),
    insert: vi.fn(),
    centre: () => ({ x: 100, y: 200 }),
    rename: vi.fn(),
    extract: vi.fn(),
    focusInspector: vi.fn(),
    setTool: vi.fn(),
    find: vi.fn(),
    replace: vi.fn(),
    openMenu: vi.fn(),
    togglePalette: vi.fn(),
    toggleOutline: vi.fn(),
    closeTop: vi.fn(() => false),
  };
  return { ...page, api: page as unknown as EditorPageApi };
}

function view() {
  const flow = { fitView: vi.fn(), zoomTo: vi.fn() };
  return { ...flow, api: flow as unknown as Parameters<typeof looking>[1] };
}

const all = (page = pageOf(), flow = view()): Action[] => [
  ...editing(page.api),
  ...arranging(page.api, flow.api),
  ...looking(page.api, flow.api),
];

function action(id: string, actions = all()): Action {
  const found = actions.find((entry) => entry.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
}
const can = (id: string) => action(id).enabled?.() !== false;
const run = (id: string) => action(id).run();

vi.stubGlobal('window', new EventTarget());

beforeEach(() => loadDraft());

describe('what can be done now', () => {
  it('depends on what is selected', () => {
    expect([chosen(), several(), anything(), oneNode(), anyNode(), isLedTo()]).not.toContain(true);

    editor().select(['a']);
    expect([chosen(), anything(), oneNode(), anyNode(), isLedTo()]).not.toContain(false);
    expect(several()).toBe(false);

    editor().select(['a', 'b']);
    expect([several(), anyNode()]).not.toContain(false);
    expect([oneNode(), isLedTo()]).not.toContain(true);
  });

  it('knows the one wire that is selected, and none beside a node', () => {
    editor().select(['ab']);
    expect([oneEdge()?.id, anything(), chosen()]).toEqual(['ab', true, false]);

    editor().select(['ab', 'in']);
    expect(oneEdge()).toBeUndefined();
    editor().select(['ab', 'a']);
    expect(oneEdge()).toBeUndefined();
  });

  it('says before it is chosen why nodes cannot become a workflow of their own', () => {
    const why = () => action('editor.extract').whyNot?.();
    editor().select(['b']);
    expect(why()).toBeNull();
    const forked = [...editor().records.edges].map(
      ([id, edge]) => [id, { ...edge, condition: 'memory.x' }] as const,
    );
    useEditor.setState({ records: { ...editor().records, edges: new Map(forked) } });
    editor().select(['a']);
    expect(why()).toContain('has a condition');
  });

  it('names fields of the start and of nodes that give some', () => {
    expect(givesFields()).toBe(false);
    editor().select(['__start__']);
    expect(givesFields()).toBe(true);
    editor().select(['a']);
    expect(givesFields()).toBe(true);
    editor().select(['a', '__start__']);
    expect(can('editor.fields')).toBe(true);

    const dumb = new Map([['step', { ...nodeType('step'), writes_data: false }]]);
    useEditor.setState({ types: dumb });
    expect(can('editor.fields')).toBe(false);
  });

  it('is nothing that changes for those who may only look', () => {
    loadDraft({}, { can: { edit: false, publish: false, run: false } });
    editor().select(['a', 'b']);

    expect([editable(), chosen(), several(), anything()]).not.toContain(true);
    expect(can('editor.copy')).toBe(true);
    for (const id of [
      'undo',
      'cut',
      'paste',
      'delete',
      'note',
      'tidy',
      'left',
      'replace',
      'disable',
    ])
      expect([id, can(`editor.${id}`)]).toEqual([id, false]);
    editor().select(['ab']);
    expect(oneEdge()).toBeUndefined();
  });

  it('is no run to a node that only another one runs', () => {
    loadDraft({ edges: [{ id: 'in', source: '__start__', target: 'a' }] });
    editor().select(['b']);

    expect([oneNode(), isLedTo()]).toEqual([true, false]);
  });
});

describe('editing', () => {
  it('deletes what is selected with its wires, and undo brings both back', () => {
    editor().select(['b']);
    run('editor.delete');
    expect([[...editor().records.nodes.keys()], editor().records.edges.size]).toEqual([['a'], 1]);

    run('editor.undo');
    expect([editor().records.nodes.size, editor().records.edges.size]).toEqual([2, 2]);
    run('editor.redo');
    expect(editor().records.nodes.size).toBe(1);
  });

  it('heals the way where a node is deleted', () => {
    editor().select(['a']);
    run('editor.heal');

    const ends = [...editor().records.edges.values()].map(({ source, target }) => [source, target]);
    expect(ends).toEqual([['__start__', 'b']]);
  });

  it('disables a node and enables it again', () => {
    editor().select(['b']);
    run('editor.disable');
    expect(editor().records.nodes.get('b')?.disabled).toBe(true);

    run('editor.disable');
    expect(editor().records.nodes.get('b')?.disabled ?? false).toBe(false);
  });

  it('lets the page rename a node, and a note write itself', () => {
    const page = pageOf();
    editor().select(['a']);
    action('editor.rename', all(page)).run();
    expect(page.rename).toHaveBeenCalledOnce();

    action('editor.note').run();
    action('editor.rename', all(page)).run();
    expect(page.rename).toHaveBeenCalledOnce();
  });

  it('asks for the condition of a wire, but of none that leaves the start', () => {
    editor().select(['in']);
    expect(can('editor.condition')).toBe(false);
    editor().select(['ab']);
    expect(can('editor.condition')).toBe(true);
  });

  it('hands to the page what needs a dialog', () => {
    const page = pageOf();
    editor().select(['a']);
    for (const id of ['extract', 'inspect']) action(`editor.${id}`, all(page)).run();

    expect(page.extract).toHaveBeenCalledOnce();
    expect(page.focusInspector).toHaveBeenCalledOnce();
  });
});

describe('arranging', () => {
  it('moves by one step of the grid, and by ten', () => {
    editor().select(['b']);
    run('editor.nudge-Right');
    expect(place('b')).toEqual({ x: 312, y: 0 });

    run('editor.push-Down');
    expect(place('b')).toEqual({ x: 312, y: 80 });
    run('editor.nudge-Left');
    run('editor.push-Up');
    expect(place('b')).toEqual({ x: 304, y: 0 });
  });

  it('puts a note to the middle of what is seen', () => {
    run('editor.note');
    const [note] = editor().records.notes.values();

    expect(note?.kind).toBe('note');
    expect(note?.position).toEqual({ x: 104, y: 200 }); // the nearest place of the grid
  });

  it('inserts on the wire that is selected', () => {
    const page = pageOf();
    expect(can('editor.insert')).toBe(false);
    editor().select(['ab']);
    action('editor.insert', all(page)).run();

    expect(page.insert).toHaveBeenCalledWith('ab');
  });

  it('lines up only several things', () => {
    editor().select(['a']);
    const lining = ['left', 'right', 'top', 'bottom', 'spread-x', 'spread-y'];
    expect(lining.filter((id) => can(`editor.${id}`))).toEqual([]);

    editor().select(['a', 'b']);
    expect(lining.filter((id) => can(`editor.${id}`))).toEqual(lining);
    run('editor.left');
    expect(place('b')?.x).toBe(place('a')?.x);
  });
});

describe('looking', () => {
  it('selects every node, and nothing', () => {
    run('editor.all');
    expect(selected()).toEqual(['a', 'b']);
    run('editor.none');
    expect(selected()).toEqual([]);
  });

  it('Escape closes what lies on top before it lets go of what is selected', () => {
    const page = pageOf();
    page.closeTop.mockReturnValueOnce(true);
    run('editor.all');

    action('editor.none', all(page)).run();
    expect(selected()).toEqual(['a', 'b']);
    action('editor.none', all(page)).run();
    expect(selected()).toEqual([]);
  });

  it('selects what follows a node and what leads to it', () => {
    editor().select(['a']);
    run('editor.downstream');
    expect(selected()).toEqual(['a', 'b']);

    editor().select(['b']);
    run('editor.upstream');
    expect(selected()).toContain('a');
  });

  it('fits the selection, without the rest', () => {
    const flow = view();
    editor().select(['b']);
    action('editor.fit-selection', all(pageOf(), flow)).run();
    action('editor.zoom-100', all(pageOf(), flow)).run();

    expect(flow.fitView.mock.lastCall?.[0]).toMatchObject({ nodes: [{ id: 'b' }] });
    expect(flow.zoomTo.mock.lastCall?.[0]).toBe(1);
  });

  it('changes the tool', () => {
    const page = pageOf();
    action('editor.pan', all(page)).run();
    action('editor.select', all(page)).run();

    expect(page.setTool.mock.calls).toEqual([['pan'], ['select']]);
  });

  it('walks along the wires with the arrows', () => {
    editor().select(['a']);
    run('editor.walk-right');
    expect(selected()).toEqual(['b']);
  });
});

it('every action has an id and a first key of its own', () => {
  const actions = all();
  const ids = actions.map(({ id }) => id);
  const keys = actions.flatMap(({ keys: given = [] }) => given);

  expect(new Set(ids).size).toBe(ids.length);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
