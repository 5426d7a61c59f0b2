// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../store/testing.tsx';
import { emptyForm, FormContext } from '../form/context.ts';
import { StartPanel } from './StartPanel.tsx';

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const inputs = () => useEditor.getState().records.settings.interface?.inputs;
const add = (words: string) => {
  const box = screen.getByRole('textbox', { name: /^Add/ });
  fireEvent.change(box, { target: { value: words } });
  fireEvent.keyDown(box, { key: 'Enter' });
};

test('the first names close the schema, several at once', () => {
  loadDraft();
  show(<StartPanel />);

  add('name, cv');

  expect(inputs()).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: { name: { type: 'string' }, cv: { type: 'string' } },
    required: ['name', 'cv'],
  });
  expect(screen.getByRole('textbox', { name: 'Add a field' })).toHaveValue('');
  useEditor.getState().undo();
  expect(useEditor.getState().records.settings.interface).toBeUndefined();
});

test('a comma and leaving the field make a field too; a name that is taken is said', () => {
  loadDraft();
  show(<StartPanel />);
  const box = () => screen.getByRole('textbox', { name: /^Add/ });

  fireEvent.change(box(), { target: { value: 'cv,' } });
  fireEvent.change(box(), { target: { value: 'role' } });
  fireEvent.blur(box());
  add('cv');

  expect(Object.keys(inputs()?.properties ?? {})).toEqual(['cv', 'role']);
  expect(screen.getByText('There is a field “cv” already.')).toBeInTheDocument();
});

test('a kind, values, a sample and words are each one change of one property', () => {
  loadDraft({
    interface: {
      inputs: {
        title: 'By hand',
        properties: { level: { type: 'string', minLength: 1 }, odd: { anyOf: [] } },
      },
    },
  });
  show(<StartPanel />);

  fireEvent.change(screen.getByRole('combobox', { name: 'Type of level' }), {
    target: { value: 'long' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'More about level' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Sample of level' }), {
    target: { value: 'senior' },
  });
  fireEvent.click(screen.getByRole('checkbox', { name: 'level is required' }));

  expect(inputs()).toEqual({
    title: 'By hand',
    properties: {
      level: { type: 'string', 'x-widget': 'text', minLength: 1, examples: ['senior'] },
      odd: { anyOf: [] },
    },
    required: ['level'],
  });
  expect(screen.queryByRole('combobox', { name: 'Type of odd' })).toBeNull();
});

test('a choice that is added without its values asks for them at once', () => {
  loadDraft();
  show(<StartPanel />);

  add('plan: one of, level: senior | mid');

  expect(screen.getByLabelText('Values of plan')).toBeVisible();
  expect(screen.queryByLabelText('Values of level')).toBeNull();
});

test('whoever may only read changes nothing', () => {
  loadDraft({ interface: { inputs: { properties: { cv: { type: 'string' } } } } });
  useEditor.setState({ can: { edit: false, publish: false, run: false } });
  show(<StartPanel />);

  fireEvent.click(screen.getByRole('button', { name: 'Remove cv' }));

  expect(Object.keys(inputs()?.properties ?? {})).toEqual(['cv']);
});

test('what is wrong with the fields is told in the words for people', () => {
  loadDraft();
  const problem = {
    severity: 'warning' as const,
    code: 'SchemaShape',
    message: 'Write `properties`.',
    say: 'These are names and not yet fields.',
    path: 'interface.inputs',
  };
  show(
    <FormContext value={{ ...emptyForm, problems: [problem] }}>
      <StartPanel />
    </FormContext>,
  );

  expect(screen.getByText(problem.say)).toBeInTheDocument();
  expect(screen.queryByText(problem.message)).toBeNull();
});
