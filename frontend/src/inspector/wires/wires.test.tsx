// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EdgeDoc } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser, twoNodes } from '../../store/testing.tsx';
import { EdgeInspector } from './EdgeInspector.tsx';
import { WaysOn } from './WaysOn.tsx';

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
const choose = (label: string, option: string) => {
  fireEvent.click(screen.getByRole('combobox', { name: label }));
  fireEvent.click(screen.getByRole('option', { name: option }));
};

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a condition', () => {
  it('is field, is, value: with the values that the schema knows', () => {
    open({});
    fireEvent.click(screen.getByRole('radio', { name: 'If' }));
    choose('Field', 'level');
    expect(stored()).not.toHaveProperty('condition');
    choose('Value', 'senior');

    expect(stored()?.condition).toBe(SENIOR);
  });

  it('has rows of which all or any must hold', () => {
    open({ condition: SENIOR });
    fireEvent.click(screen.getByRole('button', { name: 'And another' }));
    choose('Field 2', 'years');
    choose('Operator 2', 'is at least');
    fireEvent.change(screen.getByRole('textbox', { name: 'Value 2' }), { target: { value: '5' } });
    expect(stored()?.condition).toBe(`${SENIOR} && memory.years >= 5`);
    fireEvent.click(screen.getByRole('radio', { name: 'Any of these' }));
    expect(stored()?.condition).toBe(`${SENIOR} || memory.years >= 5`);
    fireEvent.click(screen.getByRole('button', { name: 'Remove row 1' }));

    expect(stored()?.condition).toBe('memory.years >= 5');
  });

  it('that was written by hand stays as it is', () => {
    const hand = '(memory.level == "senior") && size(memory.list) > 2';
    open({ condition: hand });

    expect(screen.queryByRole('combobox', { name: 'Field' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Choose field and value' })).toBeNull();
    expect(stored()?.condition).toBe(hand);
  });
});

describe('an otherwise', () => {
  it('is called so beside a condition, and always without one', () => {
    open({}, { condition: SENIOR });
    expect(screen.getByRole('radio', { name: 'Otherwise' })).toBeChecked();
    cleanup();
    open({});
    expect(screen.getByRole('radio', { name: 'Always' })).toBeChecked();
  });

  it('beside another one says that only one is taken, and takes both', () => {
    open({}, { condition: SENIOR }, {});
    expect(screen.getByRole('note')).toHaveTextContent('Only one of these is taken: C and B.');
    fireEvent.click(screen.getByRole('button', { name: 'Take both' }));

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
    const chip = screen.getByRole('button', { name: 'level' });
    fireEvent.click(chip);

    const card = editor().nodes.find(({ id }) => id === 'a');
    const labels = card?.type === 'card' ? card.data.ports.map(({ label }) => label) : [];
    expect(labels).toEqual(['senior', 'junior', 'Otherwise']);
    expect(chip).toHaveAttribute('aria-pressed', 'true');
    expect(editor().records).toBe(before);
  });
});
