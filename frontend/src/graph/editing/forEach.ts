import type { ValuesOut } from '../../api/types/schema.gen.ts';
import type { JsonSchema, NodeTypeInfo } from '../../api/types/types.ts';
import { withRecords } from '../document/diff.ts';
import { type Records, START } from '../document/document.ts';
import { isRecord } from '../document/equal.ts';
import { fieldsOf } from '../fields/fields.ts';
import { freeRoom } from '../layout/freeRoom.ts';
import { roomsOf } from '../layout/rooms.ts';
import { memberOf, resultKeys } from '../schema/names.ts';
import { typeOf } from '../schema/schema.ts';
import { addNode } from './operations.ts';
import { agentField } from './ownAgents.ts';

type Types = ReadonlyMap<string, NodeTypeInfo>;

/** A list that a node gives: what it is called, where it stands, and the key by which it is read. */
export interface List {
  name: string;
  path: string;
  grant: string;
  /** What the step for each is called, and what is done with one. */
  titles: [string, string];
}

const isList = (schema: JsonSchema | null | undefined) =>
  isRecord(schema) && typeOf(schema) === 'array';

const listIn = (lane: string, name: string, grant: string): List => ({
  name,
  path: `$.${memberOf(lane, name)}`,
  grant,
  titles: [`For each of ${name}`, `One of ${name}`],
});

const nameless = { titles: ['For each item', 'One item'] as [string, string] };

/** The lists that the start or a node gives: those that are declared as such, and those that were lists in the last run. */
export function listsOf(
  { settings, nodes }: Records,
  types: Types,
  source: string,
  last: ValuesOut['values'] = [],
): List[] {
  if (source === START) {
    const inputs = settings.interface?.inputs;
    if (isList(inputs))
      return [{ ...nameless, name: 'the input', path: '$.input', grant: 'input' }];
    return fieldsOf(inputs)
      .filter(({ schema }) => isList(schema))
      .map(({ name }) => listIn('input', name, `input.${name}`));
  }
  const node = nodes.get(source);
  if (!node) return [];
  const was = (lane: string, key: string) =>
    last.some(({ path, kind }) => kind === 'list' && path[0] === lane && path[1] === key);
  const declared = settings.state_schema?.properties ?? {};
  const keys = new Set([...(node.write_keys ?? []), ...resultKeys(node, types.get(node.type))]);
  const fields = [...keys].filter((key) => isList(declared[key]) || was('memory', key));
  const answer = {
    ...nameless,
    name: `what ${node.label || node.id} gives`,
    path: '$.previous',
    grant: 'previous',
  };
  return [
    ...fields.map((key) => listIn('memory', key, key)),
    ...(was('outputs', source) ? [answer] : []),
  ];
}

/** The type that does one step with each item of a list, with the fields of its config for both; null where there is none. */
export function eachType(
  types: Iterable<NodeTypeInfo>,
): { type: NodeTypeInfo; worker: string; items: string; item: string } | null {
  for (const type of types) {
    const fields = Object.entries(type.config_schema.properties ?? {});
    const worker = fields.find(([, schema]) => schema['x-gives'] !== undefined);
    const items = fields.find(([, schema]) => schema['x-over-view'] === true);
    const item = worker?.[1]['x-gives']?.[0];
    if (worker && items && item) return { type, worker: worker[0], items: items[0], item };
  }
  return null;
}

/** Let a fresh node do a step with each item of a list: it reads the list, and a fresh agent below it does the step. */
export function withEach(
  records: Records,
  id: string,
  { types, list, reserved }: { types: Types; list: List; reserved?: ReadonlySet<string> },
): Records {
  const each = eachType(types.values());
  const node = records.nodes.get(id);
  const agent = [...types.values()].find((type) => type.prompts && agentField(type));
  if (!each || !node?.position || !agent) return records;
  const sizeOf = roomsOf(records, types);
  const taken = [...records.nodes.values()].flatMap(({ id: other, position }) =>
    position ? [{ ...position, ...sizeOf(other) }] : [],
  );
  const below = { x: node.position.x, y: node.position.y + sizeOf(id).height };
  const room = freeRoom(taken, below, sizeOf(id));
  const grown = addNode(records, agent, room, reserved, list.titles[1]);
  const worker = grown.records.nodes.get(grown.id);
  if (!worker) return records;
  return withRecords(grown.records, [
    {
      kind: 'node',
      id,
      value: {
        ...node,
        read_keys: [list.grant],
        config: { ...node.config, [each.items]: list.path, [each.worker]: grown.id },
      },
    },
    {
      kind: 'node',
      id: grown.id,
      value: {
        ...worker,
        read_keys: [each.item],
        config: { ...worker.config, prompt: `{{ ${memberOf('memory', each.item)} }}` },
      },
    },
  ]);
}
