import type { Json, JsonObject, ToolInfo } from '../../../api/types/types.ts';
import { isRecord } from '../../../graph/document/equal.ts';

/** Every tool that no other rule names. */
export const EVERY = '*';

export type When = 'never' | 'always' | 'first' | 'expression';
export const whens: readonly { value: When; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'always', label: 'Always' },
  { value: 'first', label: 'First time in a run' },
  { value: 'expression', label: 'When …' },
];

/** The rules as they stand, by tool; nothing where that is no object. */
export function rulesOf(value: Json | undefined): Record<string, JsonObject> {
  if (!isRecord(value)) return {};
  const found = Object.entries(value).filter((entry): entry is [string, JsonObject] =>
    isRecord(entry[1]),
  );
  return Object.fromEntries(found);
}

/** When a rule asks; a tool without one is never asked about. */
export function whenOf(rule: JsonObject | undefined): When {
  if (rule === undefined) return 'never';
  return whens.find(({ value }) => value === rule.when)?.value ?? 'always';
}

/** The texts of a list. */
export const textsOf = (value: Json | undefined): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : [];

/** A rule that asks at other times; its condition goes with that. */
export function askingWhen(rule: JsonObject | undefined, when: When): JsonObject {
  const { expression, ...rest } = rule ?? {};
  return when === 'expression'
    ? { ...rest, when, expression: expression ?? 'arguments.amount > 100' }
    : { ...rest, when };
}

/** The rules with one changed; none where a tool is never asked about and no wider rule holds for it. */
export function withRule(
  rules: Record<string, JsonObject>,
  tool: string,
  rule: JsonObject,
): Record<string, JsonObject> | undefined {
  const others = { ...rules };
  Reflect.deleteProperty(others, tool);
  const isNeeded = rule.when !== 'never' || Object.keys(others).some((name) => covers(name, tool));
  const next = isNeeded ? { ...others, [tool]: rule } : others;
  return Object.keys(next).length === 0 ? undefined : next;
}

/** Whether a rule for `name` holds for the tool where that has none of its own. */
const covers = (name: string, tool: string): boolean =>
  name !== tool && (name === EVERY || (name.endsWith('/*') && tool.startsWith(name.slice(0, -1))));

/** The tools that rows are shown for: those of the agent, those with a rule, and all others. */
export const rowsOf = (tools: readonly string[], rules: Record<string, JsonObject>): string[] => [
  ...new Set([...tools, ...Object.keys(rules).filter((name) => name !== EVERY), EVERY]),
];

/** The arguments of a tool, by name. */
export function argumentsOf(tool: string, known: readonly ToolInfo[]): string[] {
  const found = known.find(
    ({ name, source }) =>
      name === tool || `${source}/${name}` === tool || `${source}__${name}` === tool,
  );
  return Object.keys(found?.parameters.properties ?? {});
}
