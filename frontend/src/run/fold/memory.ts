/** How a step's writes become memory: the same rules as the engine's, from the run's document. */

import type { GraphDoc, Json } from '../../api/types/types.ts';
import { deepMerge, sameJson } from '../values/json.ts';
import type { MemoryRules } from './model.ts';

/** The rules that a run's document sets. */
export function memoryRules(document: GraphDoc): MemoryRules {
  const byDefault = document.defaults?.merge === 'replace';
  const replacing = document.nodes.filter((node) =>
    node.merge === undefined ? byDefault : node.merge === 'replace',
  );
  const properties = Object.entries(document.state_schema?.properties ?? {});
  return {
    replacing: new Set(replacing.map((node) => node.id)),
    reducers: Object.fromEntries(
      properties.flatMap(([name, schema]) => (schema.reducer ? [[name, schema.reducer]] : [])),
    ),
  };
}

/** What a memory key becomes when `node` writes `value` to it. */
export function landed(
  rules: MemoryRules,
  node: string,
  name: string,
  before: Json | undefined,
  value: Json,
): Json {
  const reducer = rules.reducers[name];
  if (reducer !== undefined && reducer !== 'merge') return reduced(reducer, before, value);
  return reducer === undefined && rules.replacing.has(node) ? value : deepMerge(before, value);
}

function reduced(reducer: string, before: Json | undefined, value: Json): Json {
  if (before === undefined || reducer === 'replace')
    return reducer === 'append' || reducer === 'union' ? joined(reducer, [], value) : value;
  if (reducer === 'append' || reducer === 'union')
    return joined(reducer, Array.isArray(before) ? before : [before], value);
  if (typeof before !== 'number' || typeof value !== 'number') return value;
  if (reducer === 'sum') return before + value;
  return reducer === 'min' ? Math.min(before, value) : Math.max(before, value);
}

function joined(reducer: string, before: readonly Json[], value: Json): Json[] {
  const out = [...before];
  for (const item of Array.isArray(value) ? value : [value]) {
    if (reducer === 'append' || !out.some((each) => sameJson(each, item))) out.push(item);
  }
  return out;
}
