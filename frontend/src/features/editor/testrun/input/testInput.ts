/** What a test run starts with: as a form, a text or JSON, and what is wrong with it. */

import type { Json, JsonObject, JsonSchema, Problem } from '../../../../api/types/types.ts';
import { samplesOf } from '../../../../graph/fields/fields.ts';
import { typeOf } from '../../../../graph/schema/schema.ts';
import { jsonPlace } from './jsonPlace.ts';

export type How = 'form' | 'text' | 'json';

/** What a person has entered; each kind of input keeps its own while another is shown. */
export interface TestInput {
  how: How;
  text: string;
  json: string;
  form: JsonObject;
  /** USD as decimal text; empty is the limit of the graph. */
  budget: string;
}

const storageKey = (graphId: string) => `graphwright.test-input.${graphId}`;

/** Whether the interface names fields that a form can ask for. */
export const hasForm = (inputs: JsonSchema | undefined): boolean =>
  Object.keys(inputs?.properties ?? {}).length > 0;

/**
 * A form for the fields as they are declared now. Where one is gone and one is new, it was renamed: its
 * value goes along. What no closed interface declares is left out, as no run would start with it.
 */
export function fitted(form: JsonObject, inputs: JsonSchema | undefined): JsonObject {
  const fields = inputs?.properties;
  if (!fields || inputs.additionalProperties !== false) return form;
  const gone = Object.keys(form).filter((name) => !Object.hasOwn(fields, name));
  const fresh = Object.keys(fields).filter((name) => !Object.hasOwn(form, name));
  const [from] = gone;
  const [to] = fresh;
  const isRename = gone.length === 1 && fresh.length === 1;
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (Object.hasOwn(fields, name)) return [[name, value]];
      return isRename && name === from && to ? [[to, value]] : [];
    }),
  );
}

/** What one begins with: the interface's first example, else those of its fields, in the form that suits. */
export function beginning(inputs: JsonSchema | undefined): TestInput {
  const form = hasForm(inputs);
  const empty: TestInput = {
    how: form ? 'form' : 'text',
    text: '',
    json: '{}',
    form: samplesOf(inputs),
    budget: '',
  };
  const example = inputs?.examples?.[0];
  return example === undefined || example === null ? empty : withValue(empty, example, inputs);
}

/** The input with a value in it, in the form that suits the value. */
export function withValue(
  input: TestInput,
  value: Json,
  inputs: JsonSchema | undefined,
): TestInput {
  if (typeof value === 'string') return { ...input, how: 'text', text: value };
  if (hasForm(inputs) && typeof value === 'object' && value !== null && !Array.isArray(value))
    return { ...input, how: 'form', form: fitted(value, inputs) };
  return { ...input, how: 'json', json: JSON.stringify(value, null, 2) };
}

/** What was entered last for this graph, else what one begins with. */
export function remembered(graphId: string, inputs: JsonSchema | undefined): TestInput {
  const fresh = beginning(inputs);
  try {
    const stored = {
      ...fresh,
      ...(JSON.parse(localStorage.getItem(storageKey(graphId)) ?? '{}') as Partial<TestInput>),
    };
    return suited(stored, inputs);
  } catch {
    return fresh;
  }
}

/** The input in a kind that suits the fields: nobody wants an empty text where a form is. */
export function suited(input: TestInput, inputs: JsonSchema | undefined): TestInput {
  const form = hasForm(inputs);
  if (!form) return input.how === 'form' ? { ...input, how: 'text' } : input;
  const filled = { ...input, form: { ...samplesOf(inputs), ...fitted(input.form, inputs) } };
  return input.how === 'text' && input.text.trim() === '' ? { ...filled, how: 'form' } : filled;
}

/** Keep the input for the next visit. */
export function remember(graphId: string, input: TestInput): void {
  try {
    localStorage.setItem(storageKey(graphId), JSON.stringify(input));
  } catch {
    // No room, or forbidden: the input lives as long as the page.
  }
}

/** The input in another view: what stands in the form is what the JSON begins with, and back. */
export function shownAs(
  input: TestInput,
  how: How,
  inputs: JsonSchema | undefined,
): Partial<TestInput> {
  if (how === 'json' && input.how === 'form')
    return { how, json: JSON.stringify(fitted(input.form, inputs), null, 2) };
  if (how === 'form' && input.how === 'json' && jsonTrouble(input.json) === null) {
    const value = JSON.parse(input.json) as Json;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { how, form: fitted(value, inputs) };
  }
  return { how };
}

/** What a run of one node is started with: what it found before, its input with the fields of now. */
export function refitted(found: Json, input: TestInput, inputs: JsonSchema | undefined): Json {
  if (!hasForm(inputs) || typeof found !== 'object' || found === null || Array.isArray(found))
    return found;
  const before = fitted(found, inputs);
  const now = checked({ ...input, how: 'form' }, inputs);
  return 'value' in now ? { ...(now.value as JsonObject), ...before } : before;
}

const READ_BACK = 24;

/** Why a text is no JSON, in plain words with the line; null where it is. */
export function jsonTrouble(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    if (text.trim() === '') return 'There is nothing here. Write null for no input.';
    const at = jsonPlace(text);
    if (at >= text.trimEnd().length)
      return 'It ends too early: a closing quote, ] or } is missing.';
    const line = text.slice(0, at).split('\n').length;
    const near = text.slice(at, at + READ_BACK).split('\n')[0] ?? '';
    return `Line ${line}, at “${near.trim() || text.slice(at, at + 1)}”: ${reasonAt(text, at)}`;
  }
}

function reasonAt(text: string, at: number): string {
  const char = text.charAt(at);
  const before = text.slice(0, at).trimEnd().at(-1);
  if (char === "'" || char === '“' || char === '”') return 'texts stand in straight double quotes.';
  if (before === ',' && /[\]}]/.test(char)) return 'there is a comma too many before it.';
  if (char === '"') return 'a comma or a colon is missing before it.';
  if (/[\p{L}_]/u.test(char)) return 'names and texts stand in double quotes.';
  return 'this is not expected here.';
}

/** What is sent, or what is wrong at which field; paths are names of fields, empty for the whole. */
export type Checked = { value: Json } | { problems: Problem[] };

const problemAt = (path: string, message: string): Problem => ({
  severity: 'error',
  code: 'InputInvalid',
  message,
  path,
});

/** The value that the input stands for, or why it is none. */
export function checked(input: TestInput, inputs: JsonSchema | undefined): Checked {
  if (input.how === 'text') return { value: input.text };
  if (input.how === 'json') {
    const trouble = jsonTrouble(input.json);
    return trouble === null
      ? { value: JSON.parse(input.json) as Json }
      : { problems: [problemAt('', trouble)] };
  }
  const value = { ...switchedOff(inputs), ...fitted(input.form, inputs) };
  const missing = (inputs?.required ?? []).filter(
    (name) => value[name] === undefined && inputs?.properties?.[name]?.default === undefined,
  );
  return missing.length === 0
    ? { value }
    : { problems: missing.map((name) => problemAt(name, 'This is required.')) };
}

/** The switches that must be said and that nobody touched: off is what they show, so off is what is meant. */
function switchedOff(inputs: JsonSchema | undefined): JsonObject {
  const isSwitch = (name: string) => {
    const field = inputs?.properties?.[name];
    return field !== undefined && typeOf(field) === 'boolean' && field.default === undefined;
  };
  return Object.fromEntries((inputs?.required ?? []).filter(isSwitch).map((name) => [name, false]));
}

/** The field that a refusal of the server is about, with its words; null where it names none. */
export function refusalAt(message: string, inputs: JsonSchema | undefined): Problem | null {
  if (!message.startsWith('input: ')) return null;
  const said = message.slice('input: '.length);
  const missing = /^"([^"]{1,200})" is a required property$/.exec(said)?.[1];
  if (missing !== undefined) return problemAt(missing, 'This is required.');
  const cut = said.indexOf(': ');
  const name = cut < 0 ? '' : (said.slice(0, cut).split('.')[0] ?? '');
  return inputs?.properties?.[name] ? problemAt(name, said.slice(cut + 2)) : problemAt('', said);
}

/** The schema for a form of the panel: texts stand in boxes that take several lines. */
export function roomy(inputs: JsonSchema): JsonSchema {
  return {
    ...inputs,
    properties: Object.fromEntries(
      Object.entries(inputs.properties ?? {}).map(([name, field]) => [
        name,
        isPlainText(field) ? { ...field, 'x-widget': 'text', 'x-rows': 1 } : field,
      ]),
    ),
  };
}

const isPlainText = (field: JsonSchema): boolean =>
  field.type === 'string' && !field.enum && !field.format && field['x-widget'] === undefined;

/** A form without texts that were emptied: what is not said is not sent. */
export const withoutEmpty = (form: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
