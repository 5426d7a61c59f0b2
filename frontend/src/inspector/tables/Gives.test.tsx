// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JsonSchema } from '../../api/types/types.ts';
import { nodeType } from '../../graph/document/testing.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../store/testing.tsx';
import { emptyForm, FormContext } from '../form/context.ts';
import { NodeInspector } from '../NodeInspector.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const editor = () => useEditor.getState();
const agent = nodeType('agent', { result_schema: { type: 'object', 'x-widget': 'none' } });
const shape = () => editor().records.nodes.get('a')?.config?.['result_schema'] as JsonSchema;
const text = { type: 'string' };

/** Show an agent that writes these keys, of which `level` may be left out and so stands in a written shape. */
function open(...writeKeys: string[]): void {
  const all = { level: text, score: { type: 'number' } };
  const properties = Object.fromEntries(
    Object.entries(all).filter(([key]) => writeKeys.includes(key)),
  );
  const required = Object.keys(properties).filter((key) => key !== 'level');
  const result_schema = { type: 'object', properties, required, additionalProperties: false };
  loadDraft({
    nodes: [
      { id: 'a', type: 'agent', label: 'A', write_keys: writeKeys, config: { result_schema } },
    ] as never,
    edges: [],
    state_schema: { type: 'object', properties: all },
  });
  useEditor.setState({ types: new Map([['agent', agent]]) });
  const node = editor().records.nodes.get('a');
  if (!node) throw new Error('no node');
  show(
    <FormContext value={{ ...emptyForm, node: 'a' }}>
      <NodeInspector node={node} type={agent} />
    </FormContext>,
  );
}

test('a written shape follows a key that the node may write now', () => {
  open('level');
  fireEvent.click(screen.getByText('Access'));
  const keys = screen.getByLabelText('Can write');
  fireEvent.change(keys, { target: { value: 'score' } });
  fireEvent.blur(keys);

  expect(editor().records.nodes.get('a')?.write_keys).toEqual(['level', 'score']);
  expect(shape().properties).toEqual({ level: text, score: { type: 'number' } });
  fireEvent.click(screen.getByText('Access'));
});

test('a written shape follows keys that are described', () => {
  open('level', 'why');
  fireEvent.click(screen.getByRole('button', { name: 'Describe why' }));

  expect(shape().properties).toHaveProperty('why');
  expect(shape().required).toEqual(['why']);
});

test('the step to undo is called by what was done', () => {
  const mayLack = (name: string) => {
    open('level', 'score');
    fireEvent.click(screen.getByLabelText(`More about ${name}`));
    fireEvent.click(screen.getByLabelText(`${name} may be left out`));
    return editor().undoStack.map(({ label }) => label);
  };
  expect(mayLack('level')).toEqual(['Require field']);
  cleanup();
  expect(mayLack('score')).toEqual(['Let field be left out']);
});
