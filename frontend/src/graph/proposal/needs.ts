import { isRecord } from '../document/equal.ts';
import type { Part } from './parts.ts';

type Ends = { source: string; target: string };
type Keyed = { read_keys?: string[] | null; write_keys?: string[] | null };

/** Every text that stands in a value by itself. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isRecord(value)) for (const each of Object.values(value)) yield* textsIn(each);
}

const propertiesOf = (schema: unknown) =>
  isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];

function namesIn(thing: unknown): Set<string> {
  if (!isRecord(thing)) return new Set();
  const names = new Set(textsIn([thing['config'], thing['budget']]));
  const { read_keys, write_keys } = thing as Keyed;
  for (const key of [...(read_keys ?? []), ...(write_keys ?? [])])
    for (const name of [key, `${key.split('.')[0] ?? ''}.`]) names.add(name);
  return names;
}

/** Which other parts each part cannot do without, by their keys. */
export function needsOf(parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  const added = (key: string) => byKey.get(key)?.change === 'added';
  const newFields = (id: string, inside: (value: unknown) => unknown) => {
    const part = byKey.get(`setting:${id}`);
    const old = new Set(propertiesOf(inside(part?.before)));
    return new Set(propertiesOf(inside(part?.after)).filter((name) => !old.has(name)));
  };
  const fields = newFields('state_schema', (schema) => schema);
  const inputs = newFields('interface', (face) => (isRecord(face) ? face['inputs'] : null));
  const needs = ({ kind, id, change, before, after }: Part): string[] => {
    if (kind === 'edge' && after) {
      const { source, target } = after as Ends;
      return [source, target].map((end) => `node:${end}`).filter(added);
    }
    if (change === 'removed' && kind !== 'edge')
      return parts.filter((other) => leans(other, kind, id)).map((other) => other.key);
    if (kind !== 'node' || before === after) return [];
    const names = [...namesIn(after)].filter((name) => name !== id);
    return [
      ...names.flatMap((name) => [`agent:${name}`, `node:${name}`].filter(added)),
      ...(names.some((name) => fields.has(name)) ? ['setting:state_schema'] : []),
      ...(names.some((name) => inputs.has(name.replace(/^input\./, '')) || name === 'input.') &&
      inputs.size > 0
        ? ['setting:interface']
        : []),
    ];
  };
  return new Map(parts.map((part) => [part.key, needs(part)]));
}

/** Whether a part takes away what leaned on a node or agent that goes. */
function leans(other: Part, kind: Part['kind'], id: string): boolean {
  if (other.before === null) return false;
  if (kind === 'node' && other.kind === 'edge') {
    const { source, target } = other.before as Ends;
    return source === id || target === id;
  }
  return other.kind === 'node' && other.id !== id && namesIn(other.before).has(id);
}

/** The ticks after one was set or taken: what it needs comes along, what needs it goes. */
export function ticked(
  ticks: ReadonlySet<string>,
  key: string,
  on: boolean,
  needs: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const next = new Set(ticks);
  const waiting = [key];
  const seen = new Set(waiting);
  for (const each of waiting) {
    if (on) next.add(each);
    else next.delete(each);
    const following = on
      ? (needs.get(each) ?? [])
      : [...needs].filter(([, others]) => others.includes(each)).map(([other]) => other);
    for (const other of following) {
      if (seen.has(other)) continue;
      seen.add(other);
      waiting.push(other);
    }
  }
  return next;
}
