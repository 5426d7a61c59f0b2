// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import {
  act,
  cleanup,
  fireEvent,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/http/client.ts';
import type { Danger, NodeDoc, Problem } from '../api/types/types.ts';
import { nodeType } from '../graph/document/testing.ts';
import { renameNode } from '../graph/editing/operations.ts';
import { useEditor } from '../store/editor.ts';
import { goesOnAs } from '../store/merging/identity.ts';
import { loadDraft, show, stubBrowser, twoNodes } from '../store/testing.tsx';
import { emptyForm, FormContext, type FormScene } from './form/context.ts';
import { Inspector } from './Inspector.tsx';
import { type Subject, useSubject } from './subject.ts';

const editor = () => useEditor.getState();
const node = (id: string) => editor().records.nodes.get(id);
const edge = () => editor().records.edges.get('ab');
const steps = () => editor().undoStack.map(({ label }) => label);
/** A control by its label. Looked up by hand: to compute the names of a whole panel takes jsdom seconds. */
function labelled(name: string | RegExp, kind = 'textarea,input:not([type=radio])'): HTMLElement {
  const is = (text: string | null) =>
    typeof name === 'string' ? text === name : name.test(text ?? '');
  const controls = [...document.querySelectorAll<HTMLInputElement>(kind)];
  const found = controls.find(
    (control) =>
      is(control.getAttribute('aria-label')) ||
      [...(control.labels ?? [])].some((label) => is(label.textContent)),
  );
  if (!found) throw new Error(`no control ${String(name)}`);
  return found;
}
const write = (name: string, value: string) => {
  const field = labelled(name);
  fireEvent.change(field, { target: { value } });
  return field;
};
/** A group that is folded, by the name that it begins with. */
function fold(name: string): HTMLElement {
  const heads = [...document.querySelectorAll<HTMLElement>('button[aria-expanded="false"]')];
  const found = heads.find((head) => head.textContent.startsWith(name));
  if (!found) throw new Error(`no folded group ${name}`);
  return found;
}

/** Leave a group as it was: what is open is remembered for all nodes of a visit. */
const foldAgain = (name: string) => fireEvent.click(screen.getByText(name));

function open(subject: Exclude<Subject, null>, scene: Partial<FormScene> = {}) {
  const close = vi.fn();
  show(
    <FormContext value={{ ...emptyForm, ...scene }}>
      <Inspector subject={subject} tint="red" many={<p>Tools</p>} onClose={close} />
    </FormContext>,
  );
  return close;
}

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the subject', () => {
  it('follows the selection', () => {
    const { result } = renderHook(() => useSubject());
    const subjectOf = (...ids: string[]) => {
      act(() => editor().select(ids));
      return result.current;
    };

    expect(result.current).toBeNull();
    expect(subjectOf('a')).toEqual({ kind: 'node', id: 'a' });
    expect(subjectOf('ab')).toEqual({ kind: 'edge', id: 'ab' });
    expect(subjectOf('a', 'b')).toEqual({ kind: 'many', count: 2 });
    expect(subjectOf('in', 'ab')).toBeNull();
    expect(subjectOf()).toBeNull();
  });

  it('is no note: that is written in place', () => {
    loadDraft({ notes: [{ id: 'n', kind: 'note', text: 'x', position: { x: 0, y: 0 } }] });
    const { result } = renderHook(() => useSubject());
    act(() => editor().select(['n']));

    expect(result.current).toBeNull();
  });
});

describe('a node', () => {
  const typed = () => {
    const type = nodeType('step', {
      prompt: { type: 'string' },
      rounds: { type: 'integer', 'x-group': 'Notes' },
    });
    useEditor.setState({ types: new Map([['step', { ...type, help: 'Asks `once`.' }]]) });
  };

  it('names what it folds and what its own agent folds by what they hold', () => {
    const agent = { type: 'string', 'x-widget': 'agent' } as const;
    const type = nodeType('step', {
      agent_id: agent,
      rounds: { type: 'integer', 'x-group': 'More settings' },
    });
    loadDraft({
      agents: [{ id: 'own', model: 'm/x' }],
      nodes: [{ id: 'a', type: 'step', position: { x: 0, y: 0 }, config: { agent_id: 'own' } }],
      edges: [],
    });
    type.config_schema.required = ['agent_id'];
    useEditor.setState({ types: new Map([['step', type]]) });
    open({ kind: 'node', id: 'a' });

    const names = [...document.querySelectorAll('button[aria-expanded="false"]')].map(
      (head) => head.textContent,
    );
    expect(names).toContain('More settings of this node');
    expect(names).toContain('Temperature and longest answer');
  });

  it('keeps the field that is typed into while its id follows its title', () => {
    useEditor.setState({
      types: new Map([['step', nodeType('step', { prompt: { type: 'string' } })]]),
    });
    const Selected = () => {
      const subject = useSubject();
      return subject ? (
        <Inspector subject={subject} tint="red" many={null} onClose={vi.fn()} />
      ) : null;
    };
    editor().select(['a']);
    show(<Selected />);
    const prompt = labelled('Prompt');
    prompt.focus();

    act(() => {
      goesOnAs('a', 'read_cv');
      editor().edit((records) => renameNode(records, 'a', 'read_cv', editor().types));
      editor().select(['read_cv']);
    });

    expect(labelled('Prompt')).toBe(prompt);
    expect(prompt).toHaveFocus();
    write('Prompt', 'Read it');
    expect(node('read_cv')?.config?.['prompt']).toBe('Read it');
  });

  it('that waits for people offers no limits and no facts, unless it has some', () => {
    const asks = { ...nodeType('step'), asks_people: true };
    useEditor.setState({ types: new Map([['step', asks]]) });
    open({ kind: 'node', id: 'a' });

    const groups = () =>
      [...document.querySelectorAll('button[aria-expanded]')].map((head) => head.textContent);
    expect(groups().join()).toContain('Reliability');
    expect(groups().join()).not.toMatch(/Budget|Memory/);

    cleanup();
    loadDraft({ nodes: [{ ...twoNodes[0], budget: { max_tokens: 5 } } as NodeDoc] });
    useEditor.setState({ types: new Map([['step', asks]]) });
    open({ kind: 'node', id: 'a' });
    expect(groups().join()).toContain('Budget');
  });

  it('is typed into as one step of undo, which ends when the field is left', () => {
    open({ kind: 'node', id: 'a' });
    write('Label of the node', 'Ask');
    const field = write('Label of the node', 'Ask twice');
    expect(steps()).toEqual([]);
    fireEvent.blur(field);

    expect(steps()).toEqual(['Rename']);
    editor().undo();
    expect(node('a')?.label).toBe('A');
  });

  it('has the fields of its type in the groups that they name', () => {
    typed();
    open({ kind: 'node', id: 'a' });
    expect(screen.getByText('once')).toBeInTheDocument();
    write('Prompt', 'Hi');
    fireEvent.click(fold('Notes'));
    write('Rounds', '3');

    expect(node('a')?.config).toEqual({ prompt: 'Hi', rounds: 3 });
    foldAgain('Notes');
  });

  it('gets another id where that is free and well formed, and edges follow', async () => {
    vi.spyOn(api, 'post').mockResolvedValue({ edits: [], stuck: [], callers: [] });
    open({ kind: 'node', id: 'a' });
    fireEvent.blur(write('Id', 'b'));
    expect(screen.getByText('Another node has this id.')).toBeInTheDocument();
    fireEvent.blur(write('Id', '1 x'));
    expect(screen.getByText(/a letter first/)).toBeInTheDocument();
    expect(steps()).toEqual([]);

    fireEvent.blur(write('Id', 'ask'));
    await waitFor(() =>
      expect([...editor().records.nodes.keys()].toSorted()).toEqual(['ask', 'b']),
    );
    expect(edge()?.source).toBe('ask');
    expect(steps()).toEqual(['Change id']);
  });

  it('is marked as dangerous, and the mark leaves nothing behind', () => {
    const [first, second] = twoNodes as [NodeDoc, NodeDoc];
    loadDraft({ nodes: [{ ...first, metadata: { owner: 'ann' } }, second] });
    useEditor.setState({
      dangers: [{ node: 'a', kind: 'unsafe', why: 'it sends', way: null } as unknown as Danger],
    });
    open({ kind: 'node', id: 'a' });
    fireEvent.click(fold('Reliability'));
    const mark = () => labelled(/^Dangerous/);
    expect(screen.getByText('it sends.')).toBeInTheDocument();

    fireEvent.click(mark());
    expect(node('a')?.metadata).toEqual({ owner: 'ann', dangerous: true });
    fireEvent.click(mark());
    expect(node('a')?.metadata).toEqual({ owner: 'ann' });
    foldAgain('Reliability');
  });

  it('names in its words what is kept in memory as it is called here', async () => {
    const help = 'It is kept in memory as `<id>_result`.';
    useEditor.setState({ types: new Map([['step', { ...nodeType('step'), help }]]) });
    open({ kind: 'node', id: 'a' });

    expect(await screen.findByText('a_result')).toBeInTheDocument();
    expect(screen.queryByText(/<id>/)).toBeNull();
  });

  it('says in folded groups what is in them, and which has problems', () => {
    const [first, second] = twoNodes as [NodeDoc, NodeDoc];
    const said = { read_keys: ['input'], write_keys: ['x', 'y'], budget: { max_cost_usd: '0.5' } };
    loadDraft({ nodes: [{ ...first, ...said, human_description: 'Looks' }, second] });
    useEditor.setState({ types: new Map([['step', { ...nodeType('step'), prompts: true }]]) });
    const problems = [
      { severity: 'warning', code: 'X', message: 'm', path: 'nodes[0].read_keys', node: 'a' },
      { severity: 'error', code: 'X', message: 'm', path: 'nodes[0].budget.max_tokens', node: 'a' },
    ] as Problem[];
    open({ kind: 'node', id: 'a' }, { problems });

    expect(fold('Access')).toHaveTextContent('1 read, 2 writes');
    expect(fold('Budget')).toHaveTextContent('$0.50');
    expect(fold('Memory')).toHaveTextContent('none');
    expect(fold('Notes')).toHaveTextContent('Looks');
    expect(within(fold('Access')).getByLabelText('has warnings')).toBeInTheDocument();
    expect(within(fold('Budget')).getByLabelText('has errors')).toBeInTheDocument();
    expect(within(fold('Memory')).queryByRole('img')).toBeNull();
  });

  it('says what is wrong with the node itself above what mends it', () => {
    const edits = [{ op: 'set', part: 'node', id: 'a', path: ['branching'], value: 'all' }];
    const fixes = [{ label: 'Take all', edits }];
    const told = { severity: 'warning', code: 'NoElseEdge', message: 'm', say: 'Nothing fits.' };
    open(
      { kind: 'node', id: 'a' },
      { problems: [{ ...told, node: 'a', path: 'nodes[0]', fixes }] as Problem[] },
    );

    expect(screen.getByText('Nothing fits.')).toBeInTheDocument();
    expect(screen.getByText('Take all')).toBeInTheDocument();
  });

  it('offers to allow what it reads without leave, once for each key', () => {
    const edits = [{ op: 'add', part: 'node', id: 'a', path: ['read_keys'], value: 'topic' }];
    const fixes = [{ label: 'Allow reading topic', edits }];
    const problem = { severity: 'error', code: 'UnreadableKey', message: 'm', node: 'a', fixes };
    const problems = ['prompt', 'system'].map((name) => ({ ...problem, path: `config.${name}` }));
    open({ kind: 'node', id: 'a' }, { problems: problems as Problem[] });

    expect(screen.getByText('m')).toBeInTheDocument(); // once, above what mends both
    fireEvent.click(screen.getByText('Allow reading topic'));
    expect(node('a')?.read_keys).toEqual(['topic']);
  });
});

describe('an edge', () => {
  const radio = (name: string) => labelled(name, '[type=radio]');
  const pick = (name: string) => fireEvent.click(radio(name));

  it('is taken always, by a token or by its agent, one at a time', () => {
    useEditor.setState({ types: new Map([['step', { ...nodeType('step'), prompts: true }]]) });
    open({ kind: 'edge', id: 'ab' });
    expect(radio('Always')).toBeChecked();
    pick('When it says');
    write('Word', 'yes');
    expect(edge()).toMatchObject({ when: 'yes' });

    pick('Model chooses');
    expect(edge()).toEqual({ id: 'ab', source: 'a', target: 'b', trigger: 'agent' });
    pick('Always');
    expect(edge()).toEqual({ id: 'ab', source: 'a', target: 'b' });
    expect(steps()).toContain('Change when a wire is taken');
  });

  it('shows what it was drawn with', () => {
    loadDraft({ edges: [{ id: 'ab', source: 'a', target: 'b', when: 'yes' }] });
    open({ kind: 'edge', id: 'ab' });

    expect(radio('When it says')).toBeChecked();
    expect(labelled('Word')).toHaveValue('yes');
    expect(screen.getByText('B')).toBeInTheDocument();
  });

  it('stores no field that says nothing', () => {
    open({ kind: 'edge', id: 'ab' });
    write('Label', 'then');
    expect(edge()).toMatchObject({ label: 'then' });
    write('Label', '');

    expect(edge()).not.toHaveProperty('label');
  });

  it('that leaves the start has nothing to choose', () => {
    open({ kind: 'edge', id: 'in' });

    expect(screen.getByText(/A run starts here/)).toBeInTheDocument();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});

describe('the graph', () => {
  const settings = () => editor().records.settings;

  it('has its settings, and only what changed is changed', () => {
    loadDraft({ goal: 'Answer', constraints: ['short'], limits: { max_iterations: 7 } });
    const before = settings();
    open({ kind: 'graph' });
    write('Goal', 'Ask');

    expect(settings()).toEqual({ ...before, goal: 'Ask' });
    expect(settings().limits).toBe(before.limits);
  });

  it('says once what its limits are called', () => {
    loadDraft({ limits: { max_iterations: 7 } });
    open({ kind: 'graph' });

    expect(screen.getAllByText(/^limits/i)).toHaveLength(1);
    fireEvent.change(labelled('Most activations'), { target: { value: '9' } });
    expect(settings().limits).toEqual({ max_iterations: 9 });
  });

  it('brings agents along, each under an id of its own', () => {
    loadDraft({ agents: [{ id: 'agent', model: 'm' }] });
    open({ kind: 'graph' });
    expect(fold('Agents')).toHaveTextContent('1');
    fireEvent.click(fold('Agents'));
    fireEvent.click(screen.getByText('Add agent'));
    expect(settings().agents?.map(({ id }) => id)).toEqual(['agent', 'agent_2']);

    fireEvent.click(screen.getByLabelText('Remove agent agent'));
    expect(settings().agents?.map(({ id }) => id)).toEqual(['agent_2']);
    expect(steps()).toEqual(['Add agent', 'Remove agent']);
  });

  it('is only read by those who may not edit', () => {
    loadDraft({}, { can: { edit: false, publish: false, run: false } });
    open({ kind: 'graph' }, { readOnly: true });

    expect(labelled('Goal')).toBeDisabled();
  });
});

it('several things have the tools for several, and the panel closes', () => {
  const close = open({ kind: 'many', count: 3 });

  expect(screen.getByText('3 selected')).toBeInTheDocument();
  expect(screen.getByText('Tools')).toBeInTheDocument();
  fireEvent.click(screen.getByLabelText('Close the inspector'));
  expect(close).toHaveBeenCalledOnce();
});
