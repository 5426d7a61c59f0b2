import type { SourceTool } from './tools.ts';

type Fields = Record<string, unknown>;

/** What changed of a tool's arguments since it was accepted, a sentence each. */
export function argumentChanges(tool: SourceTool): string[] {
  if (tool.before === null) return [];
  const { parameters: before } = tool.before;
  const said = changesOf(before, tool.parameters, '');
  const [had, has] = [defsOf(before), defsOf(tool.parameters)];
  for (const name of Object.keys({ ...had, ...has }))
    said.push(...changesOf(had[name], has[name], `${name}.`));
  return said;
}

/** What differs between the fields of two schemas; `place` is what stands before their names. */
function changesOf(old: unknown, now: unknown, place: string): string[] {
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  const [had, has] = [requiredOf(old), requiredOf(now)];
  const said: string[] = [];
  for (const name of Object.keys(after))
    if (!(name in before))
      said.push(`${place}${name} was added${has.has(name) ? ', and is needed' : ''}`);
  for (const name of Object.keys(before)) {
    if (!(name in after)) said.push(`${place}${name} was removed`);
    else {
      if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
        said.push(`${place}${name} changed${types(before[name], after[name])}`);
      if (had.has(name) !== has.has(name))
        said.push(`${place}${name} is ${has.has(name) ? 'needed now' : 'no longer needed'}`);
    }
  }
  return said;
}

const types = (before: unknown, after: unknown): string => {
  const [was, is] = [typeOf(before), typeOf(after)];
  return was === is ? '' : ` from ${was} to ${is}`;
};

function typeOf(schema: unknown): string {
  const type = isFields(schema) ? schema.type : undefined;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'anything';
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (schema: unknown): Fields =>
  isFields(schema) && isFields(schema.properties) ? schema.properties : {};

const defsOf = (schema: unknown): Fields =>
  isFields(schema) && isFields(schema.$defs) ? schema.$defs : {};

const requiredOf = (schema: unknown): Set<unknown> =>
  new Set(isFields(schema) && Array.isArray(schema.required) ? schema.required : []);
