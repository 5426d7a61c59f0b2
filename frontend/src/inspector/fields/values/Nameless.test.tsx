// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Json } from '../../../api/types/types.ts';
import { START } from '../../../graph/document/document.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../../store/testing.tsx';
import { emptyForm, FormContext } from '../../form/context.ts';
import { NodeInspector } from '../../NodeInspector.tsx';

const keys = {
  type: 'array',
  items: { type: 'string' },
  default: ['*'],
  'x-widget': 'keys',
  'x-grants': 'read',
  'x-start': true,
  title: 'What the reviewer sees',
} as const;
const types = new Map([
  ['step', { ...nodeType('step'), result_keys: [] }],
  ['approval', { ...nodeType('approval', { review_keys: keys as never }), writes_data: false }],
]);
const editor = () => useEditor.getState();
const node = (id: string) => editor().records.nodes.get(id);

function review(config: Record<string, Json>, ...before: string[]) {
  loadDraft({
    nodes: [
      { id: 'a', type: 'step', label: 'Extract' },
      ...before.map((label) => ({ id: label, type: 'step', label })),
      { id: 'b', type: 'approval', label: 'Review', config },
    ],
    edges: [START, ...before, 'a'].map((id, at, all) => ({
      source: id,
      target: all[at + 1] ?? 'b',
    })),
  });
  useEditor.setState({ types });
  const draft = node('b');
  if (!draft) throw new Error('no node');
  show(
    <FormContext value={{ ...emptyForm, node: 'b' }}>
      <NodeInspector node={draft} type={types.get('approval')} />
    </FormContext>,
  );
}
function name(text: string) {
  fireEvent.click(screen.getByText('Name what Extract gives'));
  const box = screen.getByLabelText('Name of what Extract gives');
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: 'Enter' });
}

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('an answer gets its name where it is to be shown, in one undo step', () => {
  review({ review_keys: ['topic'] });
  name('short summary');

  expect(node('a')?.write_keys).toEqual(['short_summary']);
  expect(node('b')?.config).toEqual({ review_keys: ['topic', 'short_summary'] });
  expect(editor().records.settings.state_schema?.properties).toHaveProperty('short_summary');
  expect(screen.queryByText('Name what Extract gives')).toBeNull();
  expect(screen.getByLabelText('What the reviewer sees')).toHaveFocus();

  editor().undo();
  expect(node('a')?.write_keys).toBeUndefined();
  expect(node('b')?.config).toEqual({ review_keys: ['topic'] });
});

it('the next answer without a name comes before the box with its choices', () => {
  review({ review_keys: ['topic'] }, 'Judge');
  name('summary');

  expect(screen.getByText('Name what Judge gives').closest('button')).toHaveFocus();
});

it('where everything is shown a name is all that is missing', () => {
  review({});
  expect(screen.getByPlaceholderText('Everything in memory')).toBeVisible();
  name('summary');

  expect(node('a')?.write_keys).toEqual(['summary']);
  expect(node('b')?.config).toEqual({});
});

it('Escape asks no more and changes nothing', () => {
  review({});
  fireEvent.click(screen.getByText('Name what Extract gives'));
  fireEvent.keyDown(screen.getByLabelText('Name of what Extract gives'), { key: 'Escape' });

  expect(screen.getByText('Name what Extract gives')).toBeVisible();
  expect(screen.getByText('Name what Extract gives').closest('button')).toHaveFocus();
  expect(editor().undoStack).toEqual([]);
});

it('says why what is typed is no name, and keeps it', () => {
  review({});
  name('?!');

  const box = screen.getByLabelText('Name of what Extract gives');
  expect(box).toHaveValue('?!');
  expect(box).toHaveAccessibleDescription('A name needs a letter or a digit.');
  fireEvent.change(box, { target: { value: 'summary' } });
  fireEvent.blur(box);
  expect(node('a')?.write_keys).toEqual(['summary']);
});
