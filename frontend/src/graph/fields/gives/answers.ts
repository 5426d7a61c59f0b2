import type { JsonSchema, NodeDoc, NodeTypeInfo } from '../../../api/types/types.ts';
import { withRecords } from '../../document/diff.ts';
import type { Records } from '../../document/document.ts';
import { equal, isRecord } from '../../document/equal.ts';
import { addField, removeField, setProperty, setRequired, withKeyword } from '../fields.ts';
import { givesOf } from './gives.ts';

type Types = ReadonlyMap<string, NodeTypeInfo>;
type Rows = Readonly<Record<string, JsonSchema>>;

/** Whether an answer of a node has a shape that can be said: else it is derived, or there is none. */
export const saysShape = (type: NodeTypeInfo | undefined): boolean =>
  type?.config_schema.properties?.['result_schema'] !== undefined;

function shapeOf(node: NodeDoc): JsonSchema | null {
  const shape = node.config?.['result_schema'];
  return isRecord(shape) ? (shape as JsonSchema) : null;
}

const rowsOf = (records: Records, node: NodeDoc): Rows => givesOf(records, node).properties ?? {};

/** What an answer is asked for where a field holds more than one answer. */
const asked = (property: JsonSchema) => withKeyword(property, 'reducer', undefined);

/** The shape that is derived, but for fields that are combined: those are asked for only where it is said. */
const shapeFor = (rows: Rows): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, asked(row)])),
  required: Object.keys(rows),
  additionalProperties: false,
});

const isCombined = (rows: Rows) => Object.values(rows).some((row) => row.reducer !== undefined);

/** Whether an edit made rows such that a derived shape would not ask for all of them. */
function needsShape(was: Rows, now: Rows): boolean {
  const other = !equal(Object.keys(was).toSorted(), Object.keys(now).toSorted());
  const fresh = Object.entries(now).some(([key, row]) => row.reducer && !was[key]?.reducer);
  return isCombined(now) && (other || fresh);
}

/** The shape after rows changed: each change is made in it where it says the same, and nothing else. */
function followed(shape: JsonSchema, was: Rows, now: Rows): JsonSchema {
  if (!isRecord(shape.properties)) return shape;
  const less = Object.keys(was)
    .filter((key) => now[key] === undefined)
    .reduce(removeField, shape);
  return Object.entries(now).reduce<JsonSchema>((next, [key, row]) => {
    const before = was[key];
    if (!before) return addField(next, key, { property: asked(row), required: true });
    const own = next.properties?.[key];
    return equal(own, asked(before)) ? setProperty(next, key, () => asked(row)) : next;
  }, less);
}

function withShape(records: Records, node: NodeDoc, shape: JsonSchema | null): Records {
  const config = { ...node.config };
  if (shape) config['result_schema'] = shape as never;
  else Reflect.deleteProperty(config, 'result_schema');
  return withRecords(records, [{ kind: 'node', id: node.id, value: { ...node, config } }]);
}

const inOrder = (shape: JsonSchema) => ({ ...shape, required: shape.required?.toSorted() });

/** The shape, unless what is derived says the same. */
const unlessDerived = (shape: JsonSchema, rows: Rows) =>
  !isCombined(rows) && equal(inOrder(shape), inOrder(shapeFor(rows))) ? null : shape;

/**
 * The document in which answers are asked for all that their nodes give, after an edit of fields: the shape of an
 * answer is derived, and written only where a field is combined or may be left out.
 */
export function withAnswers(before: Records, after: Records, types: Types): Records {
  if (before === after) return after;
  return [...after.nodes.values()].reduce((now, node) => {
    if (!saysShape(types.get(node.type))) return now;
    const old = before.nodes.get(node.id);
    const [was, rows] = [old ? rowsOf(before, old) : {}, rowsOf(after, node)];
    if (equal(was, rows)) return now;
    const shape = shapeOf(node);
    if (!shape) return needsShape(was, rows) ? withShape(now, node, shapeFor(rows)) : now;
    const next = followed(shape, was, rows);
    const kept = isCombined(was) ? unlessDerived(next, rows) : next;
    return kept === shape ? now : withShape(now, node, kept);
  }, after);
}

/** Whether an answer may lack a field. */
export function isOptional(node: NodeDoc, key: string): boolean {
  const shape = shapeOf(node);
  return shape?.properties?.[key] !== undefined && !shape.required?.includes(key);
}

/** The document in which an answer of a node may lack a field, or must hold it. */
export function withOptional(records: Records, id: string, key: string, on: boolean): Records {
  const node = records.nodes.get(id);
  if (!node || isOptional(node, key) === on) return records;
  const rows = rowsOf(records, node);
  const row = rows[key];
  if (!row) return records;
  const shape = addField(shapeOf(node) ?? shapeFor(rows), key, { property: asked(row) });
  return withShape(records, node, unlessDerived(setRequired(shape, key, !on), rows));
}
