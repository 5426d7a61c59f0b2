import type { Json, JsonSchema } from '../../api/types/types.ts';

/** What every field is given. `undefined` is "not set": the default holds. */
export interface FieldProps {
  schema: JsonSchema;
  root: JsonSchema;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  label: string;
  path: string;
  required: boolean;
}

/** A name as words: `fallback_agent_id` is "Fallback agent". */
export function humanise(name: string): string {
  const words = name
    .replace(/_(id|ms)$/, '')
    .replace(/_ids$/, 's')
    .replace(/[_-]+/g, ' ')
    .replace(/\b(llm|url|http|json)\b/g, (word) => word.toUpperCase())
    .replace(/\bjsonpath\b/g, 'JSONPath')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const titled = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** A name in code, such as `ToolUndo`, that a definition brings as its title. */
const ofCode = /^(?:[A-Z][a-z0-9]+){2,}$/;

/** The label of a property: its title, unless that only repeats the name in title case or names a class. */
export function labelFor(name: string, schema: JsonSchema): string {
  if (schema.title && schema.title !== titled(name) && !ofCode.test(schema.title))
    return schema.title;
  return humanise(name);
}
