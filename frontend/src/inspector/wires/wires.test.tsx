// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EdgeDoc, Problem } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser, twoNodes } from '../../store/testing.tsx';
import { emptyForm, FormContext } from '../form/context.ts';
import { EdgeInspector } from './EdgeInspector.tsx';
import WaysOn from './WaysOn.tsx';

const editor = () => useEditor.getState();
const stored = () => editor().records.edges.get('ab');
const SENIOR = "memory.level == 'senior'";
const state_schema = {
  type: 'object',
  properties: {
    level: { type: 'string', enum: ['senior', 'junior'] },
    years: { type: 'number' },
  },
};
const nodes = [
  { ...twoNodes[0], write_keys: ['level'] },
  twoNodes[1],
  { id: 'c', type: 'step', label: 'C', position: { x: 304, y: 90 } },
] as typeof twoNodes;

function Edge() {
  const edge = useEditor((state) => state.records.edges.get('ab'));
  return edge ? <EdgeInspector edge={edge} /> : null;
}

function open(ab: Partial<EdgeDoc>, ...others: Partial<EdgeDoc>[]) {
  const more = others.map((edge, n) => ({ id: `o${n}`, source: 'a', target: 'c', ...edge }));
  const edges = [...more, { id: 'ab', source: 'a', target: 'b', ...ab }];
  loadDraft({ state_schema, nodes, edges });
  show(<Edge />);
}
/** An element by selector and words. Looked up by hand: to compute the names of a panel takes jsdom seconds. */
function found(selector: string, words: string): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const one = all.find(
    (each) => each.getAttribute('aria-label') === words || each.textContent === words,
  );
  if (!one) throw new Error(`no ${selector} ${words}`);
  return one;
}
const press = (words: string) => fireEvent.click(found('button', words));
const pick = (words: string) =>
  fireEvent.click(found('label', words).previousElementSibling ?? found('label', words));
function choose(label: string, option: string) {
  const field = found('input', label);
  fireEvent.click(field);
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  const one = [...(list?.querySelectorAll('[role=option]') ?? [])].find(
    (each) => each.textContent === option,
  );
  if (!one) throw new Error(`no option ${option}`);
  fireEvent.click(one);
}

/** Lists of choices are slow to draw in jsdom on a machine that is busy. */
const SLOW_MS = 20_000;

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a condition', () => {
  it('that is to be said yet shows its form, and is no Otherwise', () => {
    open({ condition: '' }, { condition: '' });

    expect(found('label', 'If').previousElementSibling).toBeChecked();
    expect(found('input', 'Field')).toHaveValue('');
    expect(screen.queryByRole('note')).toBeNull();
  });

  it(
    'is field, is, value: with the values that the schema knows',
    () => {
      open({});
      pick('If');
      choose('Field', 'level');
      expect(stored()).not.toHaveProperty('condition');
      choose('Value', 'senior');

      expect(stored()?.condition).toBe(SENIOR);
      choose('Field', 'years');
      expect(stored()?.condition).toBe(SENIOR);
      expect(found('input', 'Value')).toHaveValue('');
    },
    SLOW_MS,
  );

  it(
    'has rows of which all or any must hold',
    () => {
      open({ condition: SENIOR });
      press('And another');
      choose('Field 2', 'years');
      choose('Operator 2', 'is at least');
      fireEvent.change(found('input', 'Value 2'), { target: { value: '5' } });
      expect(stored()?.condition).toBe(`${SENIOR} && memory.years >= 5`);
      pick('Any of these');
      expect(stored()?.condition).toBe(`${SENIOR} || memory.years >= 5`);
      press('Remove row 1');

      expect(stored()?.condition).toBe('memory.years >= 5');
    },
    SLOW_MS,
  );

  it('that was written by hand stays as it is', () => {
    const hand = '(memory.level == "senior") && size(memory.list) > 2';
    open({ condition: hand });

    expect(document.querySelector('[aria-label="Field"]')).toBeNull();
    expect(screen.queryByText('Choose field and value')).toBeNull();
    expect(stored()?.condition).toBe(hand);
  });
});

describe('what is wrong with a condition', () => {
  const problem = (code: string): Problem => ({
    severity: 'warning',
    code,
    message: `${code} here.`,
    path: 'edges[1].condition',
    edge: 'ab',
  });
  const tell = (code: string, ...others: Partial<EdgeDoc>[]) => {
    open({ condition: SENIOR }, ...others);
    cleanup();
    show(
      <FormContext value={{ ...emptyForm, problems: [problem(code)] }}>
        <Edge />
      </FormContext>,
    );
    return screen.queryByRole('alert')?.textContent;
  };

  it(
    'is said once: that another one alike is taken has its cure beside it',
    () => {
      expect(tell('EdgeNeverTaken', { condition: SENIOR })).toBeUndefined();
      expect(screen.getByRole('note')).toBeInTheDocument();
      cleanup();
      expect(tell('EdgeNeverTaken')).toBe('EdgeNeverTaken here.');
      cleanup();
      expect(tell('UnwrittenKey', { condition: SENIOR })).toBe('UnwrittenKey here.');
    },
    SLOW_MS,
  );
});

describe('an otherwise', () => {
  it('is called so beside a condition, and always without one', () => {
    open({}, { condition: SENIOR });
    expect(found('label', 'Otherwise').previousElementSibling).toBeChecked();
    cleanup();
    open({});
    expect(found('label', 'Always').previousElementSibling).toBeChecked();
  });

  it('beside another one says that only one is taken, and takes both', () => {
    open({}, { condition: SENIOR }, {});
    expect(screen.getByRole('note')).toHaveTextContent('Only one of these is taken: C and B.');
    press('Take both');

    expect(editor().records.nodes.get('a')?.branching).toBe('all');
    expect(screen.queryByRole('note')).toBeNull();
    expect(screen.getByText('May start at the same time: C.')).toBeInTheDocument();
    editor().undo();
    expect(editor().records.nodes.get('a')).not.toHaveProperty('branching');
  });
});

describe('a node', () => {
  it('branches by a field in one click, without a change of the document', () => {
    open({});
    cleanup();
    const node = editor().records.nodes.get('a');
    if (!node) throw new Error('no node');
    show(<WaysOn node={node} />);
    const before = editor().records;
    const chip = found('button', 'level');
    fireEvent.click(chip);

    const card = editor().nodes.find(({ id }) => id === 'a');
    const labels = card?.type === 'card' ? card.data.ports.map(({ label }) => label) : [];
    expect(labels).toEqual(['senior', 'junior', 'Otherwise']);
    expect(chip).toHaveAttribute('aria-pressed', 'true');
    expect(editor().records).toBe(before);
    expect(screen.getByRole('status')).toHaveTextContent('nothing is changed before');
    fireEvent.click(chip);
    expect(chip).toHaveAttribute('aria-pressed', 'false');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('that branches by wires says so where one asks it to stop', () => {
    open({ condition: SENIOR });
    cleanup();
    const node = editor().records.nodes.get('a');
    if (!node) throw new Error('no node');
    show(<WaysOn node={node} />);

    fireEvent.click(found('button', 'level'));

    expect(screen.getByRole('status')).toHaveTextContent('Its wires ask for level');
  });
});
