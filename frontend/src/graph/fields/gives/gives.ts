import type { JsonSchema, NodeDoc } from '../../../api/types/types.ts';
import { withRecords } from '../../document/diff.ts';
import type { Records } from '../../document/document.ts';
import { addField, removeField, renameField, setProperty } from '../fields.ts';

const concrete = (key: string) => key !== '*' && !key.includes('.');

/** The fields that a node gives, as a schema: its write keys that the workflow describes. */
export function givesOf(records: Records, node: NodeDoc): JsonSchema {
  const known = records.settings.state_schema?.properties ?? {};
  const own = (node.write_keys ?? []).filter((key) => concrete(key) && known[key] !== undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map((key) => [key, known[key] ?? {}])),
  };
}

/** Write keys of a node that the workflow does not describe. */
export function undescribed(records: Records, node: NodeDoc): string[] {
  const known = records.settings.state_schema?.properties ?? {};
  return (node.write_keys ?? []).filter((key) => concrete(key) && known[key] === undefined);
}

/** Labels of the other nodes that give a field. */
export const alsoGivenBy = (records: Records, id: string, key: string): string[] =>
  [...records.nodes.values()]
    .filter((node) => node.id !== id && node.write_keys?.includes(key))
    .map((node) => node.label || node.id);

/** A node without what it says because it gives fields: its write keys, and the shape of its answer. */
const withoutGiving = (node: NodeDoc): NodeDoc => ({
  ...node,
  write_keys: [],
  config: { ...node.config, result_schema: null },
});

/** Whether anything but what one node gives names a field. It may name something else: then the field stays. */
function isNamed(records: Records, key: string, but: string): boolean {
  const others = [...records.nodes.values()].map((node) =>
    node.id === but ? withoutGiving(node) : node,
  );
  const settings = { ...records.settings, state_schema: null };
  const rest = JSON.stringify([others, [...records.edges.values()], settings]);
  return rest.includes(key);
}

const withKeys = (records: Records, node: NodeDoc, keys: readonly string[]) =>
  withRecords(records, [{ kind: 'node', id: node.id, value: { ...node, write_keys: [...keys] } }]);

const withSchema = (records: Records, schema: JsonSchema) =>
  schema === (records.settings.state_schema ?? null)
    ? records
    : withRecords(records, [{ kind: 'setting', id: 'state_schema', value: schema }]);

/** What a table made of a node's fields, told apart by name. */
function compared(before: JsonSchema, after: JsonSchema) {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  return {
    gone: Object.keys(old).filter((key) => now[key] === undefined),
    fresh: Object.entries(now).filter(([key]) => old[key] === undefined),
    changed: Object.entries(now).filter(([key, value]) => old[key] && old[key] !== value),
  };
}

/** The document after a node's table of fields was changed: its write keys and the workflow's fields, and nothing else. */
export function withGives(
  records: Records,
  id: string,
  change: (schema: JsonSchema) => JsonSchema,
): Records {
  const node = records.nodes.get(id);
  if (!node) return records;
  const before = givesOf(records, node);
  const { gone, fresh, changed } = compared(before, change(before));
  const state = records.settings.state_schema ?? null;
  const keys = node.write_keys ?? records.settings.defaults?.write_keys ?? [];
  const [from, to] = [gone[0], fresh[0]?.[0]];
  if (from && to && !state?.properties?.[to] && !isNamed(records, from, id)) {
    const renamed = renameField(state ?? {}, from, to);
    return withKeys(
      withSchema(records, renamed),
      node,
      keys.map((key) => (key === from ? to : key)),
    );
  }
  const grown = fresh.reduce<JsonSchema | null>(
    (schema, [name, property]) => addField(schema, name, { property }),
    state,
  );
  const edited = changed.reduce<JsonSchema | null>(
    (schema, [name, property]) => setProperty(schema ?? {}, name, () => property),
    grown,
  );
  const less = gone
    .filter((name) => !isNamed(records, name, id))
    .reduce<JsonSchema | null>((schema, name) => removeField(schema ?? {}, name), edited);
  const next = [
    ...keys.filter((key) => !gone.includes(key)),
    ...fresh.map(([name]) => name).filter((name) => !keys.includes(name)),
  ];
  const described = less && less !== state ? withSchema(records, less) : records;
  return gone.length + fresh.length > 0 ? withKeys(described, node, next) : described;
}
