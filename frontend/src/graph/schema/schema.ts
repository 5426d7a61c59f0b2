import type { Json, JsonObject, JsonSchema, NodeDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { isRecord } from '../document/equal.ts';

/** A schema with `$ref` followed and a nullable `anyOf` unwrapped; annotations of the outer one win. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let depth = 0; depth < 16; depth += 1) {
    const next = step(current, root);
    if (!next) return current;
    const outer = Object.fromEntries(
      Object.entries(current).filter(([key]) => !['$ref', 'anyOf', 'allOf'].includes(key)),
    );
    current = { ...next, ...outer };
  }
  return current;
}

function step(schema: JsonSchema, root: JsonSchema): JsonSchema | null {
  if (schema.$ref) return named(schema.$ref.replace(/^#\/\$defs\//, ''), root);
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  if (only) return only;
  const solid = schema.anyOf?.filter((option) => option.type !== 'null');
  return solid?.length === 1 ? (solid[0] ?? null) : null;
}

/** A definition by its name. A title that only repeats this name is a name in code, not a label. */
function named(name: string, root: JsonSchema): JsonSchema {
  const { title, ...rest } = root.$defs?.[name] ?? {};
  return title === undefined || title === name ? rest : { title, ...rest };
}

/** Whether null is a value of this schema. */
export function isNullable(schema: JsonSchema): boolean {
  return (
    schema.anyOf?.some((option) => option.type === 'null') ??
    (Array.isArray(schema.type) && schema.type.includes('null'))
  );
}

/** The one JSON type of a resolved schema; undefined where it may be several. */
export function typeOf(schema: JsonSchema): string | undefined {
  if (Array.isArray(schema.type)) return schema.type.find((name) => name !== 'null');
  return schema.type ?? (schema.properties ? 'object' : undefined);
}

/** The variants of a union of objects and the field that tells them apart (`type`); null for other schemas. */
export function variantsOf(
  schema: JsonSchema,
  root: JsonSchema,
): { key: string; options: { value: string; schema: JsonSchema }[] } | null {
  const union = (schema.oneOf ?? schema.anyOf)
    ?.filter((option) => option.type !== 'null')
    .map((option) => resolve(option, root));
  if (!union || union.length < 2 || union.some((option) => typeOf(option) !== 'object'))
    return null;
  const key =
    schema.discriminator?.propertyName ??
    Object.keys(union[0]?.properties ?? {}).find((name) =>
      union.every((option) => constant(option, name) !== undefined),
    );
  if (!key) return null;
  const options = union.flatMap((option) => {
    const value = constant(option, key);
    return value === undefined ? [] : [{ value, schema: option }];
  });
  return { key, options };
}

function constant(schema: JsonSchema, name: string): string | undefined {
  const property = schema.properties?.[name];
  const value = property?.const ?? (property?.enum?.length === 1 ? property.enum[0] : undefined);
  return typeof value === 'string' ? value : undefined;
}

/** A fresh value of a schema: its default, else the emptiest value of its type. */
export function blankOf(schema: JsonSchema, root: JsonSchema): Json {
  const solid = resolve(schema, root);
  if (solid.default !== undefined) return solid.default;
  if (solid.const !== undefined) return solid.const;
  if (isNullable(schema)) return null;
  const variants = variantsOf(solid, root);
  if (variants) return blankOf(variants.options[0]?.schema ?? {}, root);
  if (solid.enum?.length) return solid.enum[0] ?? null;
  switch (typeOf(solid)) {
    case 'object':
      return blankObject(solid, root);
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return solid.minimum ?? 0;
    default:
      return '';
  }
}

function blankObject(schema: JsonSchema, root: JsonSchema): JsonObject {
  const required = schema.required ?? [];
  return Object.fromEntries(
    required.map((name) => [name, blankOf(schema.properties?.[name] ?? {}, root)]),
  );
}

/** A found widget: the value that stands in the config at the place that asks for it. */
export interface Found {
  widget: string;
  path: (string | number)[];
  value: Json;
}

/** Every value of a config whose schema names a widget, depth first in schema order. */
export function widgetsIn(
  schema: JsonSchema,
  value: Json | undefined,
  root: JsonSchema = schema,
  path: (string | number)[] = [],
): Found[] {
  if (value === undefined || value === null || path.length > 8) return [];
  const solid = resolve(schema, root);
  const widget = solid['x-widget'];
  if (widget) return [{ widget, path, value }];
  const variants = variantsOf(solid, root);
  if (variants && isRecord(value)) {
    const option = variants.options.find((entry) => entry.value === value[variants.key]);
    return option ? widgetsIn(option.schema, value, root, path) : [];
  }
  if (Array.isArray(value))
    return solid.items
      ? value.flatMap((item, index) => widgetsIn(solid.items ?? {}, item, root, [...path, index]))
      : [];
  if (!isRecord(value)) return [];
  return Object.entries(solid.properties ?? {}).flatMap(([name, property]) =>
    widgetsIn(property, value[name] as Json | undefined, root, [...path, name]),
  );
}

/** Ids of other nodes that a node's config names (workers, managed nodes, peers). */
export function nodeReferences(type: NodeTypeInfo | undefined, node: NodeDoc): string[] {
  if (!type) return [];
  return widgetsIn(type.config_schema, node.config ?? {})
    .filter(({ widget }) => widget === 'node' || widget === 'nodes')
    .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
    .filter((id): id is string => typeof id === 'string' && id !== '');
}

/** A copy of a JSON value with the value at a path replaced. */
export function withValue(
  value: Json | undefined,
  path: readonly (string | number)[],
  to: Json | undefined,
): Json | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, index) =>
      index === head ? (withValue(item, rest, to) ?? null) : item,
    );
  const object: JsonObject = isRecord(value) ? { ...(value as JsonObject) } : {};
  const next = withValue(object[head], rest, to);
  if (next === undefined) Reflect.deleteProperty(object, String(head));
  else object[head] = next;
  return object;
}

/** Whether a property has an effect beside the values of the others. */
export function hasEffect(
  property: JsonSchema,
  parent: JsonSchema,
  value: JsonObject | undefined,
): boolean {
  const when = property['x-when'];
  if (when === undefined) return true;
  const [name, ...values] = when;
  const current = value?.[name] ?? resolve(parent.properties?.[name] ?? {}, parent).default;
  return values.some((each) => each === current);
}

/** The value without what lost its effect because `changed` has another value now. */
export function withoutIdle(schema: JsonSchema, value: JsonObject, changed: string): JsonObject {
  const idle = ([name]: [string, Json]) => {
    const property = schema.properties?.[name];
    return property?.['x-when']?.[0] === changed && !hasEffect(property, schema, value);
  };
  return Object.fromEntries(Object.entries(value).filter((entry) => !idle(entry)));
}
