// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { EditorView } from '@codemirror/view';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { JsonObject, JsonSchema } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft } from '../../store/testing.tsx';
import { reloadUnread } from '../../store/unread.ts';
import { Cures } from '../cures/Cures.tsx';
import { emptyForm, FormContext, type FormScene, problemAt } from './context.ts';
import { SchemaForm } from './SchemaForm.tsx';

beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {
        return undefined;
      }
      unobserve() {
        return undefined;
      }
      disconnect() {
        return undefined;
      }
    },
  );
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
});
afterEach(cleanup);

let value: JsonObject = {};

function show(schema: JsonSchema, start: JsonObject = {}, scene: Partial<FormScene> = {}) {
  value = start;
  function Host() {
    const [state, setState] = useState(start);
    return (
      <SchemaForm
        schema={schema}
        value={state}
        path="config"
        onChange={(next) => {
          value = next;
          setState(next);
        }}
      />
    );
  }
  render(
    <MantineProvider env="test">
      <FormContext value={{ ...emptyForm, ...scene }}>
        <Host />
      </FormContext>
    </MantineProvider>,
  );
}

test('each type of value has its field, and typing changes only its own property', () => {
  show(
    {
      type: 'object',
      properties: {
        name: { type: 'string' },
        count: { type: 'integer' },
        strict: { type: 'boolean', title: 'Be strict' },
      },
    },
    { name: 'old', other: 1 },
  );

  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'new' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Count' }), { target: { value: '7' } });
  fireEvent.click(screen.getByRole('switch', { name: /Be strict/ }));

  expect(value).toEqual({ name: 'new', count: 7, strict: true, other: 1 });
});

test('an emptied number goes back to its default', () => {
  show({ type: 'object', properties: { count: { type: 'integer', default: 3 } } }, { count: 7 });

  fireEvent.change(screen.getByRole('textbox', { name: 'Count' }), { target: { value: '' } });

  expect(value).toEqual({});
  expect(screen.getByRole('textbox', { name: 'Count' })).toHaveAttribute('placeholder', '3');
});

test('a duration is shown in words and stored in milliseconds', () => {
  show(
    { type: 'object', properties: { timeout_ms: { type: 'integer', 'x-widget': 'duration' } } },
    { timeout_ms: 120_000 },
  );
  const field = screen.getByRole('textbox', { name: 'Timeout' });
  expect(field).toHaveValue('2 min');

  fireEvent.change(field, { target: { value: '5 min' } });
  fireEvent.blur(field);

  expect(value).toEqual({ timeout_ms: 300_000 });
});

test('an optional object is switched on with its defaults, and off again', () => {
  show({
    type: 'object',
    properties: {
      annealing: {
        anyOf: [
          {
            type: 'object',
            properties: { passes: { type: 'integer', default: 5 } },
            required: ['passes'],
          },
          { type: 'null' },
        ],
      },
    },
  });

  fireEvent.click(screen.getByRole('switch', { name: /Annealing/ }));
  expect(value).toEqual({ annealing: { passes: 5 } });
  fireEvent.click(screen.getByRole('switch', { name: /Annealing/ }));
  expect(value).toEqual({ annealing: null });
});

test('a list of objects grows and shrinks', () => {
  show({
    type: 'object',
    properties: {
      options: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
    },
  });

  fireEvent.click(screen.getByRole('button', { name: 'Add option' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Id' }), { target: { value: 'yes' } });
  expect(value).toEqual({ options: [{ id: 'yes' }] });
  fireEvent.click(screen.getByRole('button', { name: 'Remove option 1' }));
  expect(value).toEqual({ options: [] });
});

test('a map takes names and text', () => {
  show({
    type: 'object',
    properties: { headers: { type: 'object', additionalProperties: { type: 'string' } } },
  });

  fireEvent.change(screen.getByRole('textbox', { name: 'New name in Headers' }), {
    target: { value: 'Accept' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Accept' }), {
    target: { value: 'text/html' },
  });

  expect(value).toEqual({ headers: { Accept: 'text/html' } });
});

test('a choice of agents offers those that exist, and says when the chosen one does not', async () => {
  show(
    { type: 'object', properties: { agent_id: { type: 'string', 'x-widget': 'agent' } } },
    { agent_id: 'gone' },
    { agents: [{ id: 'writer', name: 'Writer', model: 'local/default' }] },
  );
  const field = screen.getByRole('combobox', { name: 'Agent' });

  fireEvent.click(field);
  fireEvent.change(field, { target: { value: '' } });
  const list = await screen.findByRole('listbox');
  expect(within(list).getByText('not found')).toBeInTheDocument();
  fireEvent.click(within(list).getByText('Writer'));

  expect(value).toEqual({ agent_id: 'writer' });
});

test('a problem stands at its field, however the server writes the path', () => {
  const problem = {
    severity: 'error' as const,
    code: 'MissingField',
    message: 'It is required.',
    path: 'nodes[3].config.name',
  };

  expect(problemAt([problem], 'config.name')).toBe('It is required.');
  expect(problemAt([{ ...problem, path: '/nodes/3/config/name' }], 'config.name')).toBe(
    'It is required.',
  );
  expect(problemAt([problem], 'config.names')).toBeUndefined();
  show({ type: 'object', properties: { name: { type: 'string' } } }, {}, { problems: [problem] });
  expect(screen.getByText('It is required.')).toBeInTheDocument();
});

test('a reader can change nothing', () => {
  show({ type: 'object', properties: { name: { type: 'string' } } }, {}, { readOnly: true });

  expect(screen.getByRole('textbox', { name: 'Name' })).toBeDisabled();
});

test('a field without effect is hidden, and lost when its reason goes', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['one', 'two'], default: 'one' },
      first: { type: 'string', 'x-when': ['kind', 'one'] },
      second: { type: 'string', 'x-when': ['kind', 'two'], 'x-group': 'More' },
    },
  };
  show(schema, { first: 'kept', other: 1 });
  expect(screen.queryByRole('textbox', { name: 'Second' })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'More' })).toBeNull();

  fireEvent.click(screen.getByText('Two'));

  expect(value).toEqual({ kind: 'two', other: 1 });
  expect(screen.queryByRole('textbox', { name: 'First' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Second' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'More' })).toBeVisible();
});

test('a field that was filled in anyway stays in sight', () => {
  show(
    {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['one', 'two'], default: 'one' },
        second: { type: 'string', 'x-when': ['kind', 'two'] },
      },
    },
    { second: 'left over' },
  );

  expect(screen.getByRole('textbox', { name: 'Second' })).toHaveValue('left over');
});

test('what is no JSON yet is still there after a reload, and counts as a problem', async () => {
  const schema: JsonSchema = { properties: { extra: { 'x-widget': 'json', title: 'Extra' } } };
  const code = () => screen.findByRole('textbox', { name: 'Extra' });
  const type = async (text: string) => {
    const editor = EditorView.findFromDOM(await code());
    act(() =>
      editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } }),
    );
  };
  useEditor.setState({ graphId: 'g', problems: [] });
  show(schema, {}, { at: '' });
  await type('{"amo');
  expect(value).toEqual({});
  expect(useEditor.getState().problems.map(({ message }) => message)).toEqual([
    'Extra is no JSON yet: what is typed there is not part of the workflow.',
  ]);

  cleanup();
  reloadUnread();
  loadDraft({}, { id: 'g' });
  expect(useEditor.getState().problems).toHaveLength(1);
  show(schema, {}, { at: '' });
  expect(await code()).toHaveTextContent('{"amo');
  await type('{"amount": 1}');
  expect(value).toEqual({ extra: { amount: 1 } });
  expect(useEditor.getState().problems).toEqual([]);

  await type('{"amo');
  const [problem] = useEditor.getState().problems;
  if (problem)
    render(
      <MantineProvider>
        <Cures problem={problem} />
      </MantineProvider>,
    );
  fireEvent.click(screen.getByRole('button', { name: 'Leave out what was typed' }));
  expect(useEditor.getState().problems).toEqual([]);
  expect(await code()).toHaveTextContent('"amount": 1');
  expect(value).toEqual({ extra: { amount: 1 } });
});

test('a body is text with values, or JSON where it reads as such; nothing typed is lost', async () => {
  const schema: JsonSchema = { properties: { body: { 'x-widget': 'template', title: 'Body' } } };
  show(schema, { body: { amount: 1 } });
  const box = await screen.findByRole('textbox', { name: 'Body' });
  const type = (text: string) =>
    act(() => {
      const editor = EditorView.findFromDOM(box);
      editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    });
  expect(box).toHaveTextContent('"amount": 1');

  type('{"amount": {{ memory.amount }}}');
  expect(value).toEqual({ body: '{"amount": {{ memory.amount }}}' });
  expect(screen.getByText(/goes out as the text/)).toBeInTheDocument();
  type('amo');
  expect(value).toEqual({ body: 'amo' });
  type('{"amount": "{{ memory.amount }}"}');
  expect(value).toEqual({ body: { amount: '{{ memory.amount }}' } });
});

test.each([
  ['an empty word', ['', 'some']],
  ['no value', []],
  ['one value twice', [1, '1', 2, 3, 4, 5]],
])('a required choice with %s is a list in which nothing is chosen', (_, options) => {
  show({ type: 'object', properties: { kind: { enum: options } }, required: ['kind'] });

  expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveValue('');
  expect(screen.queryByRole('radio')).toBeNull();
});

test('a choice that has no values yet says so', () => {
  show({ type: 'object', properties: { kind: { enum: [] } } });

  const box = screen.getByRole('combobox', { name: 'Kind' });
  expect(box).toHaveAttribute('placeholder', 'No values to choose from yet');
});
