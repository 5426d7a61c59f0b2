// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json, JsonSchema } from '../../api/types/types.ts';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../store/testing.tsx';
import { emptyForm, FormContext, type FormScene } from '../form/context.ts';
import { SchemaForm } from '../form/SchemaForm.tsx';
import { PickField, PickManyField } from './PickField.tsx';

let stored: Json | undefined;

/** Show the field `name` of a form, and follow what it stores. */
function field(
  name: string,
  schema: JsonSchema,
  value?: Json,
  scene: Partial<FormScene> = {},
  required: string[] = [],
) {
  stored = value;
  function Host() {
    const [state, setState] = useState(value === undefined ? {} : { [name]: value });
    return (
      <SchemaForm
        schema={{ type: 'object', properties: { [name]: schema }, required }}
        value={state}
        path="config"
        onChange={(next) => {
          stored = next[name];
          setState(next as typeof state);
        }}
      />
    );
  }
  show(
    <FormContext value={{ ...emptyForm, ...scene }}>
      <Host />
    </FormContext>,
  );
}
const write = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
const options = async () => within(await screen.findByRole('listbox')).getAllByRole('option');

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('plain values', () => {
  it('an emptied text is not set, and shows its default', () => {
    field('tone', { type: 'string', default: 'warm' }, 'cold');
    write('Tone', '');

    expect(stored).toBeUndefined();
    expect(screen.getByRole('textbox', { name: 'Tone' })).toHaveAttribute('placeholder', 'warm');
  });

  it.each([
    ['1,50', '1.50'],
    ['$ 2', '2'],
    ['', null],
  ])('money written as "%s" is stored as %o', (written, expected) => {
    field('budget_usd', { type: 'string', 'x-widget': 'money' }, '9');
    write('Budget usd', written);

    expect(stored).toBe(expected);
  });

  it('sentences are one a line, and none is an empty list', () => {
    field('rules', { type: 'array', items: { type: 'string' }, 'x-widget': 'lines' }, ['one']);
    write('Rules', 'one\ntwo');
    expect(stored).toEqual(['one', 'two']);

    write('Rules', '');
    expect(stored).toEqual([]);
  });

  it('numbers of a list are numbers, and other words are left out', () => {
    field('sizes', { type: 'array', items: { type: 'integer' } }, [1]);
    fireEvent.paste(screen.getByRole('combobox', { name: 'Sizes' }), {
      clipboardData: { getData: () => '20,many,1.5' },
    });

    expect(stored).toEqual([1, 20, 1.5]);
  });

  it('several of a few are ticked', () => {
    field('days', { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } }, ['mon']);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Tue' }));
    expect(stored).toEqual(['mon', 'tue']);

    fireEvent.click(screen.getByRole('checkbox', { name: 'Mon' }));
    expect(stored).toEqual(['tue']);
  });

  it('a switch shows its default until it is turned', () => {
    field('strict', { type: 'boolean', default: true });
    const control = screen.getByRole('switch', { name: 'Strict' });
    expect(control).toBeChecked();
    fireEvent.click(control);

    expect(stored).toBe(false);
  });
});

describe('one of a few', () => {
  it('stands side by side where the words are short, with the default chosen', () => {
    field('merge', { type: 'string', enum: ['deep', 'replace'], default: 'deep' });
    expect(screen.getByRole('radio', { name: 'Deep' })).toBeChecked();
    fireEvent.click(screen.getByRole('radio', { name: 'Replace' }));
    expect(stored).toBe('replace');
  });

  it('stands side by side where one is required, before and after one is chosen', () => {
    field('kind', { type: 'string', enum: ['one', 'two'] }, undefined, {}, ['kind']);
    expect(screen.getByRole('radio', { name: 'One' })).not.toBeChecked();
    fireEvent.click(screen.getByRole('radio', { name: 'Two' }));
    expect(stored).toBe('two');
    expect(screen.getByRole('radio', { name: 'Two' })).toBeChecked();
  });

  it('is a list where they are many, and keeps the type of what is chosen', async () => {
    field('level', { enum: [1, 2, 3, 4, 5] });
    fireEvent.click(screen.getByRole('combobox', { name: 'Level' }));
    const [, second] = await options();
    fireEvent.click(second as HTMLElement);

    expect(stored).toBe(2);
  });

  it('stays the list that it was where nothing held before something was chosen', () => {
    field('size', { type: 'string', enum: ['big', 'small'] }, 'big');

    expect(screen.getByRole('combobox', { name: 'Size' })).toHaveValue('Big');
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('shows a value that is none of them, and keeps it until another is chosen', async () => {
    field('merge', { type: 'string', enum: ['deep', 'replace'], default: 'deep' }, 'odd');
    const list = screen.getByRole('combobox', { name: 'Merge' });
    expect(list).toHaveValue('odd (none of them)');

    fireEvent.click(list);
    const [, second] = await options();
    fireEvent.click(second as HTMLElement);
    expect(stored).toBe('replace');
  });
});

describe('durations', () => {
  const duration: JsonSchema = { type: 'integer', 'x-widget': 'duration' };
  const input = () => screen.getByRole('textbox', { name: 'Wait' });

  it('say as one types what is meant, and are taken when one is done', () => {
    field('wait_ms', duration, 1_005);
    expect(input()).toHaveValue('1 s 5 ms');

    write('Wait', '2 d 4 h');
    expect(screen.getByText('= 2 days 4 hours')).toBeInTheDocument();
    expect(stored).toBe(1_005);
    fireEvent.keyDown(input(), { key: 'Enter' });

    expect(stored).toBe(187_200_000);
    expect(screen.queryByText('= 2 days 4 hours')).toBeNull();
  });

  it('keep what they were where the words are none, and say why', () => {
    field('wait_ms', { ...duration, maximum: 86_400_000 }, 60_000);

    for (const [text, why] of [
      ['2 h soon', /“soon” is not understood here.* It stays 1 minute\./],
      ['2 d', /at most 1 day\. It stays 1 minute\./],
    ] as const) {
      write('Wait', text);
      fireEvent.blur(input());
      expect(screen.getByText(why)).toBeInTheDocument();
      expect(input()).toHaveValue(text);
      expect(stored).toBe(60_000);
    }
    fireEvent.keyDown(input(), { key: 'Escape' });
    expect(input()).toHaveValue('1 min');
  });

  it('an emptied one is not set, and shows its default', () => {
    field('wait_ms', { ...duration, default: 60_000 }, 5);
    write('Wait', '');
    fireEvent.blur(input());

    expect(stored).toBeUndefined();
    expect(input()).toHaveAttribute('placeholder', '1 min');
  });
});

describe('keys of memory', () => {
  const keys: JsonSchema = { type: 'array', items: { type: 'string' }, 'x-widget': 'keys' };
  const scene = {
    keys: [{ key: 'topic', writers: ['A'], readers: ['B', 'C'] }],
    nodes: [{ value: 'a', label: 'A' }],
  } as unknown as Partial<FormScene>;
  const input = (name: string) => screen.getByRole('textbox', { name });
  const words = async () => (await options()).map((option) => option.textContent);

  it('are offered with who writes and reads them, lanes and outputs only to read', async () => {
    field('read_keys', keys, ['input'], scene);
    fireEvent.focus(input('Read keys'));
    const offered = await words();
    expect(offered[0]).toBe('topicwritten by A · read by B, C');
    expect(offered).toContain('outputs.aoutput of A');
    expect(offered.some((word) => word?.startsWith('input'))).toBe(false);
    cleanup();

    field('write_keys', keys, [], scene);
    fireEvent.focus(input('Write keys'));
    expect(await words()).toEqual(['topicwritten by A · read by B, C', '*everything in memory']);
  });

  it('the tree of values closes by Escape also while the focus is elsewhere', async () => {
    field('write_keys', keys, [], scene);
    fireEvent.click(screen.getByRole('button', { name: 'Put a value into Write keys' }));
    expect(await screen.findByLabelText('Search values')).toBeVisible();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByLabelText('Search values')).toBeNull());
  });

  it('are chosen, typed anew and taken away', async () => {
    field('write_keys', keys, ['old'], scene);
    const control = input('Write keys');
    fireEvent.focus(control);
    fireEvent.click((await options())[0] as HTMLElement);
    expect(stored).toEqual(['old', 'topic']);

    fireEvent.change(control, { target: { value: ' fresh ' } });
    fireEvent.click(await screen.findByText(/^Add/));
    expect(stored).toEqual(['old', 'topic', 'fresh']);

    fireEvent.keyDown(control, { key: 'Backspace' });
    expect(stored).toEqual(['old', 'topic']);
  });

  it('are made by Enter, a comma and leaving the field, and the list closes after a choice', async () => {
    field('write_keys', keys, [], scene);
    const control = input('Write keys');
    fireEvent.focus(control);

    fireEvent.change(control, { target: { value: 'one' } });
    fireEvent.keyDown(control, { key: 'Enter' });
    fireEvent.change(control, { target: { value: 'two, three' } });
    fireEvent.change(control, { target: { value: 'four' } });
    fireEvent.blur(control);
    expect(stored).toEqual(['one', 'two', 'three', 'four']);

    fireEvent.focus(control);
    fireEvent.click((await options())[0] as HTMLElement);
    expect(stored).toContain('topic');
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  });
});

describe('structures', () => {
  const root: JsonSchema = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'cron' }, at: { type: 'string' }, name: { type: 'string' } },
        required: ['kind'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'hook' }, path: { type: 'string', default: '/' }, name: {} },
        required: ['kind', 'path'],
      },
    ],
    discriminator: { propertyName: 'kind' },
  } as unknown as JsonSchema;

  it('another kind of object keeps what it has in common', async () => {
    field('trigger', root, { kind: 'cron', at: '8:00', name: 'Morning' });
    fireEvent.click(screen.getByRole('combobox', { name: 'Trigger' }));
    const hook = (await options()).find((option) => option.textContent === 'Hook');
    fireEvent.click(hook as HTMLElement);

    expect(stored).toEqual({ kind: 'hook', path: '/', name: 'Morning' });
  });

  it('a map keeps its names apart, and loses one', () => {
    field('headers', { type: 'object', additionalProperties: { type: 'string' } }, { A: '1' });
    const name = screen.getByRole('textbox', { name: 'New name in Headers' });
    fireEvent.change(name, { target: { value: 'A' } });
    fireEvent.keyDown(name, { key: 'Enter' });
    expect(stored).toEqual({ A: '1' });
    fireEvent.change(name, { target: { value: ' B ' } });
    fireEvent.keyDown(name, { key: 'Enter' });
    expect(stored).toEqual({ A: '1', B: '' });

    fireEvent.click(screen.getByRole('button', { name: 'Remove A' }));
    expect(stored).toEqual({ B: '' });
  });
});

describe('things that exist', () => {
  const tools = [
    { name: 'add', description: 'Adds.' },
    { name: 'find', description: 'Finds.' },
  ] as unknown as FormScene['tools'];

  it('several are chosen, and one that is gone says so', async () => {
    field('tools', { type: 'array', items: { type: 'string' }, 'x-widget': 'tools' }, ['lost'], {
      tools,
    });
    const input = screen.getByRole('combobox', { name: 'Tools' });
    fireEvent.click(input);
    expect((await options()).map((option) => option.textContent)).toEqual([
      'addAdds.',
      'findFinds.',
    ]);
    fireEvent.change(input, { target: { value: 'FIN' } });
    const [only, ...more] = await options();
    expect(more).toEqual([]);
    fireEvent.click(only as HTMLElement);

    expect(stored).toEqual(['lost', 'find']);
  });

  it('a model that cannot be used now says so', async () => {
    const models = [
      { id: 'p/one', label: 'One', provider: 'p', available: true },
      { id: 'p/two', label: '', provider: 'p', available: false },
    ] as unknown as FormScene['models'];
    field('model', { type: 'string', 'x-widget': 'model' }, undefined, {
      models,
      defaultModel: 'p/one',
    });
    fireEvent.click(screen.getByRole('combobox', { name: 'Model' }));

    expect((await options()).map((option) => option.textContent)).toEqual([
      'Default: Oneof the workspace, follows the settings',
      'Onep',
      'p/twonot available',
    ]);
  });
});

it('an agent is made where agents are chosen, in one undo step', async () => {
  loadDraft();
  let chosen: Json | undefined;
  show(
    <FormContext value={emptyForm}>
      <PickField
        schema={{ type: 'string' }}
        root={{}}
        value={undefined}
        label="Agent"
        path="config.agent_id"
        required
        widget="agent"
        onChange={(value) => (chosen = value)}
      />
    </FormContext>,
  );

  fireEvent.click(screen.getByRole('combobox', { name: 'Agent' }));
  fireEvent.click(await screen.findByText('+ New agent'));

  expect(chosen).toBe('agent');
  expect(useEditor.getState().records.settings.agents).toEqual([
    { id: 'agent', model: 'local/default' },
  ]);
  useEditor.getState().undo();
  expect(useEditor.getState().records.settings.agents).toBeUndefined();
});

it.each([
  ['credential', PickField, 'No credential is kept yet.', 'Add a credential'],
  ['tools', PickManyField, 'There are no tools yet.', 'Add tools'],
] as const)('a choice of %s without any says how to have some', async (widget, Pick, none, way) => {
  show(
    <FormContext value={emptyForm}>
      <Pick
        schema={{ type: 'string' }}
        root={{}}
        value={undefined}
        label="Which"
        path="config.which"
        required
        widget={widget}
        onChange={() => undefined}
      />
    </FormContext>,
  );

  fireEvent.click(document.querySelector('input') as HTMLInputElement);

  const link = await screen.findByText(way);
  expect(link.parentElement).toHaveTextContent(none);
});
