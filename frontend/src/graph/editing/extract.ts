import type { GraphDoc, JsonObject, NodeDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { type RecordValue, tidyEdge, withRecords } from '../document/diff.ts';
import { type DraftEdge, freeId, freshId, type Records, START } from '../document/document.ts';
import { snap } from '../layout/layout.ts';
import { memoryKeys, resultKeys } from '../schema/names.ts';
import { nodeReferences, resolve } from '../schema/schema.ts';

export type Types = ReadonlyMap<string, NodeTypeInfo>;

/** A part of a graph that can become a graph of its own. */
export interface Part {
  nodes: NodeDoc[];
  entry: string;
  targets: string[];
  into: string[];
  out: string[];
  missing: string[];
}

const lanes = ['input', 'previous', 'metadata'];

/** The type that runs another graph, and the name of the field that says which. */
export function graphRunner(types: Types): { type: NodeTypeInfo; field: string } | null {
  for (const type of types.values()) {
    const field = Object.entries(type.config_schema.properties ?? {}).find(
      ([, schema]) => resolve(schema, type.config_schema)['x-widget'] === 'graph',
    )?.[0];
    if (field && type.config_schema.required?.includes(field)) return { type, field };
  }
  return null;
}

const isPlain = (edge: DraftEdge) =>
  !edge.when &&
  typeof edge.condition !== 'string' &&
  !edge.trigger &&
  (edge.on ?? 'completed') === 'completed';

/** Whether the chosen nodes can become a graph of their own, and how it is tied in; a sentence when they cannot. */
export function partOf(records: Records, ids: ReadonlySet<string>, types: Types): Part | string {
  const nodes = [...records.nodes.values()].filter((node) => ids.has(node.id));
  const inside = new Set(nodes.map((node) => node.id));
  const edges = [...records.edges.values()];
  const entries = new Set(
    edges
      .filter((edge) => inside.has(edge.target) && !inside.has(edge.source))
      .map((edge) => edge.target),
  );
  const [entry] =
    entries.size > 0
      ? entries
      : nodes
          .filter((node) => !edges.some((edge) => edge.target === node.id))
          .map((node) => node.id);
  if (!entry || entries.size > 1) return 'Choose nodes that are entered at one place.';
  const exits = edges.filter((edge) => inside.has(edge.source) && !inside.has(edge.target));
  if (!exits.every(isPlain))
    return 'A wire that leaves these nodes has a condition or another outcome. Choose its node away, or the ones behind it too.';
  const targets = [...new Set(exits.map((edge) => edge.target))];
  const named = new Set(
    [...records.nodes.values()].flatMap((node) => nodeReferences(types.get(node.type), node)),
  );
  const torn = [...records.nodes.values()].some((node) =>
    nodeReferences(types.get(node.type), node).some(
      (id) => records.nodes.has(id) && inside.has(id) !== inside.has(node.id),
    ),
  );
  if (torn) return 'A node names another one in its settings, and only one of the two is chosen.';
  const goesOn = (node: NodeDoc) =>
    edges.some((edge) => edge.source === node.id && inside.has(edge.target));
  const leaves = (node: NodeDoc) => exits.some((edge) => edge.source === node.id);
  const ends = nodes.filter((node) => leaves(node) || (!goesOn(node) && !named.has(node.id)));
  const leads = (node: NodeDoc, target: string) =>
    exits.some((edge) => edge.source === node.id && edge.target === target);
  if (!ends.every((node) => targets.every((target) => leads(node, target))))
    return 'Its branches lead to different places. Choose nodes that all lead to the same ones.';
  return { nodes, entry, targets, ...keysOf(records, nodes, types) };
}

/** The memory keys that cross the border, and what its nodes read that cannot. */
function keysOf(
  records: Records,
  nodes: readonly NodeDoc[],
  types: Types,
): Pick<Part, 'into' | 'out' | 'missing'> {
  const known = new Set(memoryKeys(records, types).map((info) => info.key));
  const written = new Set(
    nodes
      .flatMap((node) => [...(node.write_keys ?? []), ...resultKeys(node, types.get(node.type))])
      .map((key) => key.split('.')[0] ?? key),
  );
  const inside = new Set(nodes.map((node) => node.id));
  const read = [...new Set(nodes.flatMap((node) => node.read_keys ?? []))];
  const roots = [...new Set(read.map((key) => key.split('.')[0] ?? key))];
  return {
    into: roots.filter((key) => known.has(key) && !written.has(key)),
    out: [...written].filter((key) => key !== '*' && !key.startsWith('_')),
    missing: read.filter(
      (key) =>
        lanes.includes(key) || (key.startsWith('outputs.') && !inside.has(key.split('.')[1] ?? '')),
    ),
  };
}

/** The id of a graph with this name: small letters and digits, with one `-` between words. */
export const slugOf = (name: string) =>
  freeId(
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    new Set<string>(),
  );

/** The document of a part. */
export function partDocument(records: Records, part: Part, id: string, name: string): GraphDoc {
  const inside = new Set(part.nodes.map((node) => node.id));
  const { goal, constraints, state_schema, defaults, agents } = records.settings;
  const edges = [...records.edges.values()].filter(
    (edge) => inside.has(edge.source) && inside.has(edge.target),
  );
  const kept = Object.fromEntries(
    Object.entries({ goal, constraints, state_schema, defaults, agents }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return {
    graphwright: 1,
    id,
    name,
    ...kept,
    nodes: part.nodes,
    edges: [{ id: freshId('e'), source: START, target: part.entry }, ...edges],
  };
}

/** Records in which one node that runs graph `slug` stands for the part. */
export function withPartReplaced(
  records: Records,
  part: Part,
  runner: { type: NodeTypeInfo; field: string },
  graph: { slug: string; name: string },
): { records: Records; id: string } {
  const inside = new Set(part.nodes.map((node) => node.id));
  const id = freeId(graph.slug, records.nodes);
  const places = part.nodes.map((node) => node.position ?? { x: 0, y: 0 });
  const middle = (axis: 'x' | 'y') =>
    snap(places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const same = (keys: string[]): JsonObject => Object.fromEntries(keys.map((key) => [key, key]));
  const [first, second] = Object.entries(runner.type.config_schema.properties ?? {})
    .filter(([, schema]) => schema['x-group'] === 'Mapping')
    .map(([name]) => name);
  const config = {
    ...structuredClone(runner.type.defaults.config),
    [runner.field]: graph.slug,
    ...(first ? { [first]: same(part.into) } : {}),
    ...(second ? { [second]: same(part.out) } : {}),
  };
  const node: NodeDoc = {
    id,
    type: runner.type.type,
    label: graph.name,
    read_keys: [...runner.type.defaults.read_keys],
    write_keys: [...runner.type.defaults.write_keys],
    config,
    position: { x: middle('x'), y: middle('y') },
  };
  const edges = [...records.edges.values()].flatMap((edge): RecordValue[] => {
    if (inside.has(edge.target) && !inside.has(edge.source))
      return [{ kind: 'edge', id: edge.id, value: { ...edge, target: id } }];
    return inside.has(edge.source) ? [{ kind: 'edge', id: edge.id, value: null }] : [];
  });
  const out = part.targets.map((target) => tidyEdge({ id: freshId('e'), source: id, target }));
  const set: RecordValue[] = [
    ...part.nodes.map((gone) => ({ kind: 'node' as const, id: gone.id, value: null })),
    { kind: 'node', id, value: node },
    ...edges,
    ...out.map((edge) => ({ kind: 'edge' as const, id: edge.id, value: edge })),
  ];
  return { records: withRecords(records, set), id };
}
