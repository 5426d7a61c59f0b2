// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Danger, Problem, WorstCase } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft, Refused, saved, serve, show, stubBrowser } from '../../../store/testing.tsx';
import { PathProof } from './PathProof.tsx';
import { ProblemsPanel } from './ProblemsPanel.tsx';
import { told, useProof, waysOf, worstFirst } from './useProof.ts';
import { WorstCaseChip } from './WorstCase.tsx';

const problem = (severity: Problem['severity'], message: string, more: Partial<Problem> = {}) =>
  ({ severity, code: 'Code', message, path: '', ...more }) as Problem;
const danger = (node: string, edges: string[] | null): Danger =>
  ({
    node,
    kind: 'unsafe',
    why: `${node} sends`,
    way: edges ? { nodes: [node], edges } : null,
  }) as unknown as Danger;
const rows = () => screen.getAllByRole('button').filter((row) => 'row' in row.dataset);

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

describe('the order of problems', () => {
  it('is worst first, and as it came among equals', () => {
    const given = [problem('hint', 'h'), problem('error', 'e1'), problem('warning', 'w')];
    const more = [...given, problem('error', 'e2')];

    expect(worstFirst(more).map(({ message }) => message)).toEqual(['e1', 'e2', 'w', 'h']);
  });
});

describe('what people are told', () => {
  it('is one problem for one cut wire, at the first node behind it', () => {
    const cut = ['b', 'a'].map((node) =>
      problem('warning', 'No edge.', { code: 'UnreachableNode', node }),
    );
    const other = problem('error', 'Other.');

    const list = told([...cut, other], useEditor.getState().records);

    expect(list.map(({ say, message }) => say ?? message)).toEqual([
      '2 nodes cannot be reached: draw a wire to A.',
      'Other.',
    ]);
  });

  it('leaves out that an empty workflow starts nowhere', () => {
    loadDraft({ nodes: [], edges: [] });
    const none = problem('error', 'No nodes.', { code: 'EntryMissing' });

    expect(told([none], useEditor.getState().records)).toEqual([]);
  });
});

describe('tips that are alike', () => {
  const mute = (node: string) =>
    problem('hint', 'Say it.', { code: 'NoHumanDescription', path: 'human_description', node });

  it('are one row that leads to the first, and one alone says what it says', () => {
    const jump = vi.fn();
    useEditor.setState({ problems: [mute('a'), problem('hint', 'Other.'), mute('b')] });
    show(<ProblemsPanel onJump={jump} onClose={vi.fn()} />);

    expect(rows()).toHaveLength(2);
    expect(rows()[0]).toHaveTextContent('2 nodes say nothing in plain words');
    fireEvent.click(rows()[0] as HTMLElement);
    expect(jump).toHaveBeenCalledWith(expect.objectContaining({ node: 'a' }));

    act(() => useEditor.setState({ problems: [mute('b')] }));
    expect(rows()[0]).toHaveTextContent('B Say it.');
  });
});

describe('the ways that are drawn', () => {
  const dangers = [danger('a', ['in']), danger('b', ['in', 'ab']), danger('c', null)];
  const drawn = (proof: ReturnType<typeof useProof>) => [...proof.openWays.edges];

  it('are joined, without those of guarded steps', () => {
    const ways = waysOf(dangers);

    expect([[...ways.nodes], [...ways.edges]]).toEqual([
      ['a', 'b'],
      ['in', 'ab'],
    ]);
  });

  it('are one while its step is selected, or all', () => {
    useEditor.setState({ dangers });
    const { result } = renderHook(() => useProof());
    expect(drawn(result.current)).toEqual([]);

    act(() => result.current.show('a'));
    expect(drawn(result.current)).toEqual([]);
    act(() => useEditor.getState().select(['a']));
    expect(drawn(result.current)).toEqual(['in']);
    act(() => useEditor.getState().select(['b']));
    expect(drawn(result.current)).toEqual([]);

    act(() => result.current.setAll(true));
    expect(drawn(result.current)).toEqual(['in', 'ab']);
  });

  it('come with what is known of each node', () => {
    const problems = [
      problem('error', 'one', { node: 'a' }),
      problem('hint', 'two', { node: 'a' }),
      problem('error', 'graph'),
    ];
    useEditor.setState({ dangers, problems });
    const { result } = renderHook(() => useProof());

    expect(result.current.problems.get('a')).toEqual(problems.slice(0, 2));
    expect([...result.current.problems.keys()]).toEqual(['a']);
    expect(result.current.dangers.get('b')).toEqual(dangers[1]);
  });
});

describe('the list of problems', () => {
  const wrong = problem('warning', 'is never run', { node: 'a', path: 'nodes[0].config.prompt' });
  const loose = problem('error', 'leads nowhere', { edge: 'ab', path: 'edges[1].when' });
  const whole = problem('error', 'has no nodes', { path: 'edges' });
  const hint = problem('hint', 'could be shorter', { node: 'b' });

  it('names node, edge or workflow, the place only under the pointer, hints last', () => {
    useEditor.setState({ problems: [hint, wrong, loose, whole] });
    show(<ProblemsPanel onJump={vi.fn()} onClose={vi.fn()} />);

    expect(rows().map((row) => [row.textContent, row.title])).toEqual([
      ['Wire leads nowhere', 'Code · when'],
      ['Workflow has no nodes', 'Code · edges'],
      ['A is never run', 'Code · config.prompt'],
      ['B could be shorter', 'Code'],
    ]);
  });

  it('leads to the field, by mouse and by arrows', () => {
    const jump = vi.fn();
    useEditor.setState({ problems: [wrong, loose] });
    show(<ProblemsPanel onJump={jump} onClose={vi.fn()} />);
    const [first, second] = rows() as [HTMLElement, HTMLElement];

    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(first).toHaveFocus();
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(second).toHaveFocus();
    fireEvent.keyDown(second, { key: 'ArrowUp' });
    expect(first).toHaveFocus();
    fireEvent.click(second);
    expect(jump).toHaveBeenCalledWith(wrong);
  });

  it('says that nothing is wrong, also where there are hints', () => {
    useEditor.setState({ problems: [hint] });
    show(<ProblemsPanel onJump={vi.fn()} onClose={vi.fn()} />);

    expect(screen.getByText(/Nothing wrong. This can be published./)).toBeInTheDocument();
    expect(rows()).toHaveLength(1);
  });
});

describe('the path proof', () => {
  const open = (onShow = vi.fn()) =>
    show(<PathProof graphId="g1" all={false} onAll={vi.fn()} onShow={onShow} />);
  const gate = () => screen.getByRole('switch', { name: 'Publish only with a guard before each' });
  const every = () => screen.getByRole('switch', { name: 'Draw every way without a guard' });

  it('counts dangerous steps and tells which are guarded', () => {
    const dangers = [danger('a', ['in']), danger('b', null)];
    const showWay = vi.fn();
    useEditor.setState({ dangers });
    open(showWay);

    expect(screen.getByText('2 dangerous, 1 not guarded')).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Not guarded' })).toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Guarded' })).toBeInTheDocument();
    expect(every()).toBeEnabled();
    fireEvent.click(rows()[0] as HTMLElement);
    expect(showWay).toHaveBeenCalledWith(dangers[0]);
  });

  it('has nothing to draw where every step is guarded', () => {
    useEditor.setState({ dangers: [danger('b', null)] });
    open();

    expect(every()).toBeDisabled();
  });

  it('sets the gate once the draft is saved, and shows what that proves', async () => {
    const found = problem('error', 'b is not guarded', { node: 'b' });
    const detail = { problems: [found], dangers: [], require_approval: true };
    const calls = serve({ 'PATCH graphs/g1/draft/': saved(2), 'PATCH graphs/g1/': detail });
    open();
    fireEvent.click(gate());

    await waitFor(() => expect(useEditor.getState().requireApproval).toBe(true));
    expect(calls.map(({ path }) => path)).toEqual(['graphs/g1/draft/', 'graphs/g1/']);
    expect(calls[1]?.body).toEqual({ require_approval: true });
    expect(useEditor.getState().problems).toEqual([found]);
  });

  it('leaves the gate as it was where the server refuses', async () => {
    const refusal = new Refused(403, { detail: 'only admins' });
    const calls = serve({ 'PATCH graphs/g1/draft/': saved(2), 'PATCH graphs/g1/': refusal });
    open();
    fireEvent.click(gate());

    await waitFor(() => expect(calls).toHaveLength(2));
    await waitFor(() => expect(gate()).toBeEnabled());
    expect(gate()).not.toBeChecked();
  });

  it('offers the gate only to those who may edit', () => {
    loadDraft({}, { can: { edit: false, publish: false, run: false } });
    open();

    expect(gate()).toBeDisabled();
  });
});

describe('the most that a run can spend', () => {
  const worst = (given: Partial<WorstCase>) =>
    useEditor.setState({
      worstCase: { usd: null, tokens: null, unbounded: false, why: 'caps', ...given } as WorstCase,
    });

  it.each([
    [{ usd: '0.5' }, /^At most \$0\.50 a run/],
    [{ usd: '2', tokens: 9 }, /^At most \$2\.00 a run/],
    [{ tokens: 900 }, /^At most 900 tokens a run/],
    [{ unbounded: true }, /^No upper bound of spend/],
  ])('%o reads as %s', (given, words) => {
    worst(given);
    show(<WorstCaseChip onJump={vi.fn()} />);

    expect(screen.getByRole('button', { name: words })).toBeInTheDocument();
  });

  it('is not there where the server says nothing', () => {
    useEditor.setState({ worstCase: null });
    show(<WorstCaseChip onJump={vi.fn()} />);

    expect(screen.queryByRole('button')).toBeNull();
  });
});
