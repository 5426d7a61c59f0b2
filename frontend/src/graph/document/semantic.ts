import type { EdgeDoc, GraphDoc } from '../../api/types/documentTypes.ts';
import { settingNames } from './document.ts';
import { settingWords } from '../fields/words/fieldWords.ts';
import { equal, isRecord } from './equal.ts';

/** One field that differs: its path in the thing, and the values; `undefined` is "not there". */
export interface FieldChange {
  path: string;
  before: unknown;
  after: unknown;
}

export type ThingKind = 'node' | 'edge' | 'agent' | 'setting';

/** What people call a kind of thing. */
export const thingWords: Readonly<Record<ThingKind, string>> = {
  node: 'node',
  edge: 'wire',
  agent: 'agent',
  setting: 'setting',
};

/** A node, edge, agent or setting that differs between two documents. */
export interface ThingChange {
  kind: ThingKind;
  id: string;
  title: string;
  change: 'added' | 'removed' | 'changed';
  fields: FieldChange[];
  /** The type of a node. */
  type?: string;
}

type Thing = Record<string, unknown>;

/** What a person does not mean by a change: where things stand. */
const LAYOUT = new Set(['position', 'size']);

const absent = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

/** The fields in which two values differ, as deep as both are objects. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (equal(before, after) || (absent(before) && absent(after))) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    path === '' && LAYOUT.has(name)
      ? []
      : fieldChanges(before[name], after[name], path ? `${path}.${name}` : name),
  );
}

const endsOf = ({ source, target, when, condition, trigger, on }: EdgeDoc) =>
  JSON.stringify([source, target, when ?? '', condition ?? '', trigger ?? '', on ?? 'completed']);

/** Edges by what they say; those whose id is the same in both documents by that. */
function edgesOf(document: GraphDoc, other: GraphDoc): Map<string, Thing> {
  const shared = new Set(other.edges.map((edge) => edge.id).filter(Boolean));
  return new Map(
    document.edges.map((edge) => {
      const { id, ...rest } = edge;
      return [id && shared.has(id) ? id : endsOf(edge), rest as Thing];
    }),
  );
}

function compare(
  kind: ThingKind,
  before: ReadonlyMap<string, Thing>,
  after: ReadonlyMap<string, Thing>,
  titleOf: (thing: Thing, id: string) => string,
): ThingChange[] {
  const changes: ThingChange[] = [];
  for (const [id, old] of before) {
    const now = after.get(id);
    const fields = now ? fieldChanges(old, now) : [];
    if (!now) changes.push({ kind, id, title: titleOf(old, id), change: 'removed', fields: [] });
    else if (fields.length > 0)
      changes.push({ kind, id, title: titleOf(now, id), change: 'changed', fields });
  }
  for (const [id, now] of after) {
    if (!before.has(id))
      changes.push({
        kind,
        id,
        title: titleOf(now, id),
        change: 'added',
        fields:
          kind === 'edge'
            ? []
            : fieldChanges({ config: {} }, now).filter((field) => field.path !== 'id'),
      });
  }
  return changes;
}

const byId = (things: readonly object[] | undefined) =>
  new Map((things ?? []).map((thing) => [String((thing as Thing)['id']), thing as Thing]));
const settingsOf = (document: GraphDoc) =>
  new Map<string, Thing>(
    settingNames
      .filter((name) => name !== 'agents' && !absent(document[name]))
      .map((name) => [name, { [name]: document[name] }]),
  );

/** What differs in meaning between two documents: nodes, edges, agents, settings. Places and notes do not count. */
export function semanticDiff(before: GraphDoc, after: GraphDoc): ThingChange[] {
  const labels = new Map(
    [...before.nodes, ...after.nodes].map((node) => [node.id, node.label || node.id]),
  );
  const end = (id: unknown) =>
    id === '__start__'
      ? 'Start'
      : id === '__end__'
        ? 'End'
        : (labels.get(String(id)) ?? String(id));
  const types = new Map([...before.nodes, ...after.nodes].map(({ id, type }) => [id, type]));
  const settings = compare('setting', settingsOf(before), settingsOf(after), (_, id) =>
    settingWords(id),
  );
  return [
    ...compare('node', byId(before.nodes), byId(after.nodes), (node, id) =>
      String(node['label'] || id),
    ).map((change) => ({ ...change, type: types.get(change.id) ?? '' })),
    ...compare(
      'edge',
      edgesOf(before, after),
      edgesOf(after, before),
      (edge) => `${end(edge['source'])} → ${end(edge['target'])}`,
    ),
    ...compare('agent', byId(before.agents), byId(after.agents), (_, id) =>
      labels.has(id) ? `Agent of ${end(id)}` : id,
    ),
    ...settings.map((change) => ({
      ...change,
      fields:
        change.fields.length > 0
          ? change.fields
          : [
              {
                path: change.id,
                before: settingsOf(before).get(change.id)?.[change.id],
                after: settingsOf(after).get(change.id)?.[change.id],
              },
            ],
    })),
  ];
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The changes in a line: "2 nodes changed, 1 wire added". */
export function summaryOfChanges(changes: readonly ThingChange[]): string {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { kind, change } of changes) count(`${thingWords[kind]} ${change}`);
  return [...counts]
    .map(([what, count]) => {
      const [kind = '', change = ''] = what.split(' ');
      return `${plural(count, kind)} ${change}`;
    })
    .join(', ');
}
