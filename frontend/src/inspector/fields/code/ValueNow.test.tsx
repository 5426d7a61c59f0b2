// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refused, serve, show, stubBrowser } from '../../../store/testing.tsx';
import { emptyForm, FormContext } from '../../form/context.ts';
import { ValueNow } from './ValueNow.tsx';

const evaluating = {
  graph: 'g1',
  name: 'sample Ada',
  input: { name: 'Ada' },
  run: null as string | null,
  stands: null as string | null,
  revision: 1,
};
const given = { text: 'Hello Ada', cut: false, holds: true, lacks: null, problem: null };
const AT = 'POST graphs/g1/draft/evaluate/';

function value(text: string, asked = false, more = {}) {
  show(
    <FormContext value={{ ...emptyForm, evaluating: { ...evaluating, ...more } }}>
      <ValueNow language={asked ? 'expression' : 'template'} text={text} asked={asked} />
    </FormContext>,
  );
}

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a template shows what it gives for the sample', async () => {
  const calls = serve({ [AT]: given });
  value('Hello {{ input.name }}');

  expect(await screen.findByText('Hello Ada')).toBeVisible();
  expect(screen.getByText('For sample Ada')).toBeVisible();
  expect(calls[0]?.body).toEqual({
    language: 'template',
    text: 'Hello {{ input.name }}',
    input: { name: 'Ada' },
  });
});

test.each([
  ['{{ memory.skills }}', 'For the last run'],
  ['{{ input.name }}: {{ memory.skills }}', 'For sample Ada and the last run'],
])('what a run left is said to be of that: %s', async (text, words) => {
  serve({ [AT]: given });
  value(text, false, { run: 'r1', stands: 'completed' });

  expect(await screen.findByText(words)).toBeVisible();
});

test.each([
  [{ ...given, holds: true }, 'Fits'],
  [{ ...given, holds: false }, 'Does not fit'],
  [{ ...given, text: null, lacks: 'memory.level' }, 'Nothing yet: the field “level” has no value.'],
  [{ ...given, text: null, problem: 'Close the value.' }, 'Close the value.'],
])('a condition says whether it fits, or why it says nothing: %#', async (answer, words) => {
  serve({ [AT]: answer });
  value("memory.level == 'senior'", true);

  expect(await screen.findByText(words)).toBeVisible();
});

test('a text without a value is not asked about, and a refusal says nothing', async () => {
  const calls = serve({ [AT]: new Refused(503, { detail: 'busy' }) });
  value('Hello');
  expect(calls).toEqual([]);
  cleanup();
  value('Hello {{ input.name }}');

  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByText(/busy/)).toBeNull();
});

test.each([
  ['input.name', 'the start field “name”'],
  ["outputs['x-1'].list[0].total", '“total” in item 1 in “list” in the answer of Read the bill'],
  ['outputs.gone', 'the answer of gone'],
  ['previous', 'the answer of the node before'],
  ['now()', 'now()'],
])('%s is called %s, and the path is there on demand', async (lacks, words) => {
  serve({ [AT]: { ...given, text: null, lacks } });
  show(
    <FormContext
      value={{ ...emptyForm, evaluating, nodes: [{ value: 'x-1', label: 'Read the bill' }] }}
    >
      <ValueNow language="template" text={`{{ ${lacks} }}`} />
    </FormContext>,
  );

  expect(await screen.findByText(`Nothing yet: ${words} has no value.`)).toHaveAttribute(
    'title',
    lacks,
  );
});
