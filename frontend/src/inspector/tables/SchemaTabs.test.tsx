// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { EditorView } from '@codemirror/view';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../store/testing.tsx';
import '../fields/code/CodeEditor.tsx'; // it comes late in the product: here it would be waited for
import { emptyForm, FormContext } from '../form/context.ts';
import { StartPanel } from './StartPanel.tsx';

beforeEach(() => {
  stubBrowser();
  loadDraft({ interface: { inputs: { type: 'object', properties: { cv: { type: 'string' } } } } });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const inputs = () => useEditor.getState().records.settings.interface?.inputs;

/** Open the schema as text, and give what types all of it anew. */
async function asText(panel = <StartPanel />) {
  show(panel);
  fireEvent.click(screen.getByLabelText('JSON Schema'));
  const box = await screen.findByLabelText('Start fields as JSON Schema');
  const view = EditorView.findFromDOM(box);
  if (!view) throw new Error('no editor');
  return (text: string) =>
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
}
const text = () => screen.getByLabelText('Start fields as JSON Schema').textContent;

it('is taken as it is typed, as soon as it is a schema', async () => {
  const type = await asText();
  const before = inputs();

  type('{"type": "object", ');
  expect(screen.getByRole('alert')).toBeVisible();
  expect(inputs()).toBe(before);

  type('{"type": "object", "properties": {"role": {"type": "string"}}}');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(inputs()).toEqual({ type: 'object', properties: { role: { type: 'string' } } });
  expect(text()).toBe('{"type": "object", "properties": {"role": {"type": "string"}}}');
});

it('says that names are no schema yet, and makes fields of them', async () => {
  const type = await asText();
  const before = inputs();

  type('{"name": "string", "score": "number"}');
  expect(screen.getByRole('alert')).toHaveTextContent('These are names, not yet a schema.');
  expect(inputs()).toBe(before);

  fireEvent.click(screen.getByText('Make these fields'));
  expect(Object.keys(inputs()?.properties ?? {})).toEqual(['name', 'score']);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is empty where nothing is said, and shows what others change', async () => {
  const type = await asText();
  type('');
  expect(inputs()).toEqual({});
  expect(screen.queryByRole('alert')).toBeNull();

  act(() =>
    useEditor.getState().edit((now) => ({
      ...now,
      settings: { ...now.settings, interface: { inputs: { type: 'object' } } },
    })),
  );
  expect(text()).toContain('"type": "object"');
});

it('keeps unfinished text while one looks at the table, and says so there', async () => {
  const type = await asText();
  type('{"type": "object", ');

  fireEvent.click(screen.getByLabelText('Table'));
  expect(screen.getByRole('status')).toHaveTextContent('is not finished. It waits there');

  fireEvent.click(screen.getByLabelText('JSON Schema'));
  await screen.findByLabelText('Start fields as JSON Schema');
  expect(text()).toBe('{"type": "object", ');
});

it('says one thing at once: what waits unfinished before what is wrong with the stored schema', async () => {
  const found = {
    severity: 'error' as const,
    code: 'SchemaInvalid',
    message: 'no such type',
    path: 'interface.inputs',
  };
  const type = await asText(
    <FormContext value={{ ...emptyForm, problems: [found] }}>
      <StartPanel />
    </FormContext>,
  );
  expect(screen.getByText('no such type')).toBeVisible();

  type('{"type": "object", ');
  expect(screen.getByRole('alert')).toBeVisible();
  expect(screen.queryByText('no such type')).toBeNull();

  fireEvent.click(screen.getByLabelText('Table'));
  expect(screen.getByRole('status')).toHaveTextContent('is not finished');
  expect(screen.queryByText('no such type')).toBeNull();
});
