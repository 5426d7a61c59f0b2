import type { Json, JsonObject, JsonSchema } from '../../../../api/types/types.ts';
import { apartIn } from '../../../../run/values/apart.ts';
import { brief, isObject, sameJson } from '../../../../run/values/json.ts';
import { boxed, plainNumber, readNumber } from '../../../../run/values/typedNumber.ts';
import { formatProblem } from './formats.ts';
import { currencyOf, factText, isStartField, labelOf } from './fieldLook.ts';

export type FieldKind =
  | 'text'
  | 'longtext'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'group'
  | 'json'
  /** Too large to be sent with the item: what stands there is not here. */
  | 'apart';

/** How deep objects inside objects are asked for by their fields; what lies deeper is JSON. */
const DEPTH = 3;

/** Of more values than this not each has a mark of its own, which takes its time at each press. */
const MANY = 200;

/** One input of a typed form. */
export interface FormField {
  name: string;
  label: string;
  help: string;
  kind: FieldKind;
  required: boolean;
  options: { value: string; label: string; raw: Json }[];
  minimum: number | undefined;
  maximum: number | undefined;
  /** What is said of its values: a sum is read with its currency. */
  schema: JsonSchema;
  /** The fields of an object. */
  fields: readonly FormField[];
}

/** What inputs hold: text for everything that is typed, booleans, lists and objects as such. */
export type FieldValue = string | boolean | string[] | FieldValues;
export interface FieldValues {
  [name: string]: FieldValue;
}

/** The inputs of an object schema, in its order. Without a schema each value is asked for by its own type. */
export function fieldsOf(
  schema: JsonSchema | undefined,
  values: JsonObject = {},
  names?: readonly string[],
): FormField[] {
  const properties = schema?.properties ?? {};
  const known = Object.keys(properties).length > 0 ? Object.keys(properties) : Object.keys(values);
  const all = known.filter((name) => !isStartField(name));
  const wanted = names === undefined || names.includes('*') ? all : [...new Set([...names])];
  return wanted.map((name) => {
    const said = properties[name] ?? guess(values[name]);
    const isRequired = schema?.required?.includes(name) ?? false;
    return fieldOf(name, said, isRequired, values[name], {
      defs: schema?.$defs ?? {},
      left: DEPTH,
    });
  });
}

/** What the parts of a schema refer to, and how many objects deeper fields are drawn. */
interface Depth {
  defs: Readonly<Record<string, JsonSchema>>;
  left: number;
}

function fieldOf(
  name: string,
  given: JsonSchema,
  required: boolean,
  value: Json | undefined,
  depth: Depth,
): FormField {
  const schema = followed(nonNull(followed(given, depth.defs)), depth.defs);
  const options = choicesOf(schema.items?.enum ? schema.items : schema);
  const isApart = apartIn(value).length > 0;
  const fields = isApart ? [] : partsOf(schema, value, depth);
  return {
    name,
    label: labelOf(name, schema),
    help: given.description ?? schema.description ?? '',
    kind: isApart ? 'apart' : fields.length > 0 ? 'group' : kindOf(schema, value),
    required,
    options,
    minimum: schema.minimum,
    maximum: schema.maximum,
    schema,
    fields,
  };
}

/** The fields of an object that holds nothing else; none for all other values. */
function partsOf(schema: JsonSchema, value: Json | undefined, { defs, left }: Depth): FormField[] {
  const properties = schema.properties ?? {};
  const held = value === undefined || value === null ? {} : value;
  if (left === 0 || typeOf(schema) !== 'object' || !isObject(held)) return [];
  if (Object.keys(held).some((name) => !(name in properties))) return [];
  const deeper = { defs, left: left - 1 };
  const parts = Object.entries(properties).map(([name, said]) =>
    fieldOf(name, said, schema.required?.includes(name) ?? false, held[name], deeper),
  );
  // what only JSON can say is asked for where something stands there or has to
  return parts.filter(({ kind, required, name }) => kind !== 'json' || required || name in held);
}

const DEFS = '#/$defs/';

/** What a schema refers to among the definitions beside it, with what it says itself. */
function followed(schema: JsonSchema, defs: Depth['defs']): JsonSchema {
  const { $ref: ref, ...own } = schema;
  const meant = ref?.startsWith(DEFS) ? defs[ref.slice(DEFS.length)] : undefined;
  return meant ? { ...meant, ...own } : schema;
}

/** `anyOf: [X, null]` asks for X. */
function nonNull(schema: JsonSchema): JsonSchema {
  const rest = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => each.type !== 'null');
  const [only] = rest;
  return rest.length === 1 && only !== undefined ? { ...schema, ...only } : schema;
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.type === 'string') return schema.type;
  return schema.type?.find((each) => each !== 'null') ?? '';
}

function kindOf(schema: JsonSchema, value: Json | undefined): FieldKind {
  if (schema.enum) return 'choice';
  switch (typeOf(schema)) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    case 'array':
      if (Array.isArray(value) && value.length > MANY) return 'json';
      if (schema.items?.enum) return 'choices';
      return schema.items && typeOf(schema.items) === 'string' ? 'texts' : 'json';
    case 'string':
      return isLong(schema, value) ? 'longtext' : 'text';
    default:
      return 'json';
  }
}

function isLong(schema: JsonSchema, value: Json | undefined): boolean {
  if (['text', 'textarea', 'prompt'].includes(schema['x-widget'] ?? '')) return true;
  return (
    (schema.maxLength ?? 0) > 200 ||
    (typeof value === 'string' && (value.length > 60 || value.includes('\n')))
  );
}

function choicesOf(schema: JsonSchema): FormField['options'] {
  return (schema.enum ?? []).map((raw) => {
    const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
    return { value: text, label: text, raw };
  });
}

function guess(value: Json | undefined): JsonSchema {
  if (typeof value === 'string' || value === undefined) return { type: 'string' };
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return { type: 'array', items: { type: 'string' } };
  return {};
}

/** A JSON value as its input holds it. */
export function toInput(field: FormField, value: Json | undefined): FieldValue {
  if (field.kind === 'boolean') return value === true;
  if (field.kind === 'texts' || field.kind === 'choices')
    return Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      : [];
  if (field.kind === 'group') return inputsOf(field.fields, value);
  if (value === undefined || value === null) return '';
  if (field.kind === 'json') return JSON.stringify(value, null, 2);
  if (typeof value === 'number') return boxed(plainNumber(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `within` says where in an object the problems are. */
export type Parsed =
  { value: Json | undefined } | { problem: string; within?: Record<string, string> };

/** The JSON value an input stands for; `value: undefined` is left out. Types are kept: a number stays a number. */
export function fromInput(field: FormField, input: FieldValue | undefined): Parsed {
  if (field.kind === 'boolean') return { value: input === true };
  if (Array.isArray(input)) return fromList(field, input);
  if (field.kind === 'group') return fromGroup(field, typeof input === 'object' ? input : {});
  const text = typeof input === 'string' ? input : '';
  if (text.trim() === '')
    return field.required ? { problem: 'This is needed.' } : { value: undefined };
  switch (field.kind) {
    case 'number':
    case 'integer':
      return fromNumber(field, text);
    case 'choice':
      return { value: field.options.find((option) => option.value === text)?.raw ?? text };
    case 'json':
      return fromJson(text);
    default: {
      const problem = formatProblem(field.schema, text);
      return problem === null ? { value: text } : { problem };
    }
  }
}

/** An object that need not be there, and of which nothing was filled in, is left out. */
function fromGroup(field: FormField, inputs: FieldValues): Parsed {
  const { values, problems } = readForm(field.fields, inputs);
  const isEmpty = Object.values(values).every((value) => value === false || value === undefined);
  if (isEmpty && !field.required) return { value: undefined };
  const [problem] = Object.values(problems);
  return problem === undefined ? { value: values } : { problem, within: problems };
}

function fromList(field: FormField, input: string[]): Parsed {
  if (input.length === 0 && field.required) return { problem: 'Pick at least one.' };
  return {
    value: input.map((each) => field.options.find((option) => option.value === each)?.raw ?? each),
  };
}

function fromNumber(field: FormField, text: string): Parsed {
  const unit = currencyOf(field.schema);
  const read = readNumber(text, { unit, isWhole: field.kind === 'integer' });
  if ('problem' in read) return read;
  const { value } = read;
  if (field.minimum !== undefined && value < field.minimum)
    return { problem: `At least ${field.minimum}.` };
  if (field.maximum !== undefined && value > field.maximum)
    return { problem: `At most ${field.maximum}.` };
  return { value };
}

function fromJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'This is not valid JSON.' };
    throw error;
  }
}

export interface ReadForm {
  values: JsonObject;
  problems: Record<string, string>;
}

const NOT_YET = 'It is still being read whole. Wait a moment, then send again.';

/** Read every input. `values` has what parsed; `problems` says what to correct, by field. */
export function readForm(fields: readonly FormField[], inputs: FieldValues): ReadForm {
  const read: ReadForm = { values: {}, problems: {} };
  for (const field of fields) {
    if (field.kind === 'apart') {
      // what was written before it was read again is not lost
      if (field.name in inputs) read.problems[field.name] = NOT_YET;
      continue;
    }
    const parsed = fromInput(field, inputs[field.name]);
    if ('problem' in parsed) Object.assign(read.problems, problemsAt(field.name, parsed));
    else if (parsed.value !== undefined) read.values[field.name] = parsed.value;
  }
  return read;
}

/** Problems by field; those within an object by their way there. */
function problemsAt(
  name: string,
  { problem, within }: Extract<Parsed, { problem: string }>,
): Record<string, string> {
  if (within === undefined) return { [name]: problem };
  const entries = Object.entries(within).map(([part, told]) => [`${name}.${part}`, told]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The inputs that show an object. */
export function inputsOf(fields: readonly FormField[], value: Json | undefined): FieldValues {
  const known = isObject(value) ? value : {};
  return Object.fromEntries(
    fields
      .filter(({ kind }) => kind !== 'apart')
      .map((field) => [field.name, toInput(field, known[field.name])]),
  );
}

/** What stood in a field, in the words of the form: its option, a sum with its currency, Yes or No. */
export function beforeText(field: FormField, before: Json | undefined): string {
  const option = field.options.find(({ raw }) => sameJson(raw, before));
  if (option) return option.label;
  return factText(field.name, before, field.schema) ?? (brief(before, 400) || 'nothing');
}
