import type { SourceTool } from './tools.ts';

type Fields = Record<string, unknown>;

/** What changed of a tool's arguments since it was accepted, a sentence each. */
export function argumentChanges(tool: SourceTool): string[] {
  if (tool.before === null) return [];
  const before = fieldsOf(tool.before.parameters);
  const after = fieldsOf(tool.parameters);
  const had = requiredOf(tool.before.parameters);
  const has = requiredOf(tool.parameters);
  const said: string[] = [];
  for (const name of Object.keys(after))
    if (!(name in before)) said.push(`${name} was added${has.has(name) ? ', and is needed' : ''}`);
  for (const name of Object.keys(before)) {
    if (!(name in after)) said.push(`${name} was removed`);
    else {
      if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
        said.push(`${name} changed${types(before[name], after[name])}`);
      if (had.has(name) !== has.has(name))
        said.push(`${name} is ${has.has(name) ? 'needed now' : 'no longer needed'}`);
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

const requiredOf = (schema: unknown): Set<unknown> =>
  new Set(isFields(schema) && Array.isArray(schema.required) ? schema.required : []);
