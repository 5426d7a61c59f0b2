import type { NodeDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { END, incoming, type Records, START } from '../document/document.ts';
import { fieldsOf } from '../fields/fields.ts';
import { type Items, itemsOf } from '../fields/listText.ts';
import { kindOf, kindWords } from '../fields/kinds.ts';

/** A memory key that can exist in a graph: who writes it and who reads it. */
export interface KeyInfo {
  key: string;
  writers: string[];
  readers: string[];
  declared: boolean;
  description?: string;
}

const labelOf = (node: NodeDoc) => node.label || node.id;
const LANES = ['input', 'previous', 'metadata', 'context', 'outputs'];
const covers = (grant: string, key: string) =>
  (grant === '*' && !LANES.includes(key.split('.')[0] ?? '')) ||
  grant === key ||
  key.startsWith(`${grant}.`) ||
  grant.startsWith(`${key}.`);

/** The result keys of a node. The server writes them with `<id>` or `{id}` where the node's id goes. */
export function resultKeys(node: NodeDoc, type: NodeTypeInfo | undefined): string[] {
  return (type?.result_keys ?? []).map((key) => key.replace(/<id>|\{id\}|\{node_id\}/g, node.id));
}

/** Every key of memory that the schema declares, the start sets, or a node writes; sorted. */
export function memoryKeys(records: Records, types: ReadonlyMap<string, NodeTypeInfo>): KeyInfo[] {
  const keys = new Map<string, KeyInfo>();
  const entry = (key: string) => {
    const found = keys.get(key) ?? { key, writers: [], readers: [], declared: false };
    keys.set(key, found);
    return found;
  };
  for (const [key, schema] of Object.entries(records.settings.state_schema?.properties ?? {})) {
    const info = entry(key);
    info.declared = true;
    if (schema.description) info.description = schema.description;
  }
  for (const key of Object.keys(records.settings.initial_memory ?? {}))
    entry(key).writers.push('Start');
  const nodes = [...records.nodes.values()];
  for (const node of nodes) {
    for (const key of [...(node.write_keys ?? []), ...resultKeys(node, types.get(node.type))]) {
      if (key !== '*') entry(key.split('.')[0] ?? key).writers.push(labelOf(node));
    }
  }
  for (const info of keys.values()) {
    info.readers = nodes
      .filter((node) => node.read_keys?.some((grant) => covers(grant, info.key)))
      .map(labelOf);
    info.writers = [...new Set(info.writers)];
  }
  return [...keys.values()].toSorted((a, b) => a.key.localeCompare(b.key));
}

/** Nodes from which a node can be reached, in document order; in a loop the node itself is one of them. */
export function upstream(records: Records, id: string): NodeDoc[] {
  const sources = new Map<string, string[]>();
  for (const edge of records.edges.values())
    sources.set(edge.target, [...(sources.get(edge.target) ?? []), edge.source]);
  const seen = new Set<string>();
  const queue = [...(sources.get(id) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next) || next === START || next === END) continue;
    seen.add(next);
    queue.push(...(sources.get(next) ?? []));
  }
  return [...records.nodes.values()].filter((node) => seen.has(node.id));
}

/** A name that an expression may use, with what it is. */
export interface NameInfo {
  name: string;
  detail: string;
  readable: boolean;
  /** The narrowest read key that lets it be read; absent where nothing needs to. */
  grant?: string;
  /** Under which heading it is offered. */
  from?: string;
  /** Whether the detail begins with its declared type. */
  typed?: boolean;
  /** Another name of the same value. */
  same?: string;
  /** What it holds where it is declared as a list. */
  items?: Items;
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** How an expression names a member: `memory.level`, `outputs['x-1']`. */
export const memberOf = (parent: string, key: string) =>
  identifier.test(key) ? `${parent}.${key}` : `${parent}['${key}']`;

/** The names in reach of a node's templates and expressions, readable ones first. */
export function namesForNode(
  records: Records,
  types: ReadonlyMap<string, NodeTypeInfo>,
  node: NodeDoc,
): NameInfo[] {
  const grants = [...(node.read_keys ?? []), ...(records.settings.defaults?.read_keys ?? [])];
  const reads = (key: string) => grants.some((grant) => covers(grant, key));
  const lane = (name: string, from: string): NameInfo => ({
    name,
    detail: laneDetails[name] ?? '',
    readable: reads(name),
    grant: name,
    from,
  });
  const value = (
    root: string,
    key: string,
    grant: string,
    schema: unknown,
    from: string,
    of = '',
  ) => {
    const type = kindText(schema);
    const items = itemsOf(schema);
    return {
      name: memberOf(root, key),
      detail: [type, of].filter(Boolean).join(' · '),
      ...(type ? { typed: true } : {}),
      ...(items ? { items } : {}),
      readable: reads(grant),
      grant,
      from,
    };
  };
  const start = fieldsOf(records.settings.interface?.inputs).map(({ name, schema }) =>
    value('input', name, `input.${name}`, schema, 'Start'),
  );
  const before = upstream(records, node.id);
  const properties = records.settings.state_schema?.properties ?? {};
  const loops = before.some((other) => other.id === node.id);
  const ownOnly = (info: KeyInfo) =>
    !loops && info.writers.join() === labelOf(node) && node.write_keys?.includes(info.key) === true;
  const readable = memoryKeys(records, types).filter((info) => !ownOnly(info));
  const memory = readable.map((info) =>
    value('memory', info.key, info.key, properties[info.key], 'Fields', writersText(info)),
  );
  const outputs = before.map((other) =>
    value(
      'outputs',
      other.id,
      `outputs.${other.id}`,
      null,
      'Answers',
      `answer of ${labelOf(other)}`,
    ),
  );
  const run: NameInfo[] = [
    { name: 'goal', detail: 'the task of the run', readable: true, from: 'About the run' },
    { name: 'constraints', detail: 'list of texts', readable: true, from: 'About the run' },
    lane('metadata', 'About the run'),
    lane('context', 'About the run'),
  ];
  const previous =
    before.length > 0 || start.length === 0
      ? [{ ...lane('previous', 'The node before'), ...sameAsPrevious(records, node.id) }]
      : [];
  return [...previous, ...start, lane('input', 'Start'), ...memory, ...outputs, ...run];
}

/** The other name of what the one node before leaves; nothing where several lead here. */
function sameAsPrevious(records: Records, id: string): Pick<NameInfo, 'same'> {
  const sources = new Set(incoming(records, id).map(({ source }) => source));
  const [only] = sources;
  if (only === undefined || only === START || sources.size > 1) return {};
  return { same: memberOf('outputs', only) };
}

/** What a property holds, in the words of the tables; empty where it does not say. */
function kindText(schema: unknown): string {
  const kind = kindOf(schema);
  // `list of` and `one of` stand before what they are of, which a line has no room for
  return kind
    ? kindWords[kind].toLowerCase().replace('list of', 'list').replace('one of', 'choice')
    : '';
}

/** Whether read keys let a value be seen that needs this one. */
export const allows = (grants: readonly string[], grant: string) =>
  grants.some((key) => covers(key, grant));

const laneDetails: Record<string, string> = {
  input: 'what the run was started with',
  previous: 'output of the node before',
  metadata: 'what wires pass on beside the values',
  context: 'tenant, user, session',
};

function writersText(info: KeyInfo): string {
  if (info.writers.length > 0) return `written by ${info.writers.join(', ')}`;
  return info.declared ? 'declared, nobody writes it' : 'memory';
}

/** The names that the condition of an edge may use: the whole state, and the result of its source. */
export function namesForEdge(
  records: Records,
  types: ReadonlyMap<string, NodeTypeInfo>,
  source: string,
): NameInfo[] {
  const whole = (name: string, detail: string) => ({ name, detail, readable: true });
  return [
    ...['output', 'data', 'condition', 'intent', 'metadata'].map((field) =>
      whole(`result.${field}`, `of ${source}`),
    ),
    ...memoryKeys(records, types).map((info) =>
      whole(memberOf('memory', info.key), writersText(info)),
    ),
    ...[...records.nodes.keys()].map((id) => whole(memberOf('outputs', id), 'last output')),
    ...fieldsOf(records.settings.interface?.inputs).map(({ name, schema }) =>
      whole(memberOf('input', name), kindText(schema)),
    ),
    whole('goal', 'the task of the run'),
    whole('constraints', 'list of texts'),
    ...Object.entries(laneDetails).map(([name, detail]) => whole(name, detail)),
  ];
}
