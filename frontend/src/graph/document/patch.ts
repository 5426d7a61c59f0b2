import type {
  ConflictKind,
  DraftConflict,
  DraftOthers,
  DraftPatch,
  EdgeDoc,
  GraphFields,
  NodeDoc,
  NoteDoc,
} from '../../api/types/types.ts';
import { type Change, type RecordKind, type RecordValue, recordOf, withRecords } from './diff.ts';
import { type Records, type SettingName, settingNames, silentSettings } from './document.ts';
import { merge3 } from './merge.ts';
import { withSurroundings } from './surroundings.ts';

type Body = Omit<DraftPatch, 'revision' | 'client'>;

/** The body of a draft save for these changes; `after` is the document that they lead to. */
export function toPatch(changes: readonly Change[], after: Records): Body {
  const of = (kind: RecordKind, gone: boolean) =>
    changes.filter((change) => change.kind === kind && (change.after === null) === gone);
  const settings: Record<string, unknown> = {};
  for (const change of changes)
    if (change.kind === 'setting')
      settings[change.id] = change.after ?? silentSettings[change.id as SettingName] ?? null;
  if (changes.some((change) => change.kind === 'note')) settings.notes = [...after.notes.values()];
  const body: Body = {};
  const setNodes = of('node', false).map((change) => change.after as NodeDoc);
  const setEdges = of('edge', false).map((change) => change.after as EdgeDoc);
  const goneNodes = of('node', true).map((change) => change.id);
  const goneEdges = of('edge', true).map((change) => change.id);
  if (setNodes.length) body.set_nodes = setNodes;
  if (goneNodes.length) body.delete_nodes = goneNodes;
  if (setEdges.length) body.set_edges = setEdges;
  if (goneEdges.length) body.delete_edges = goneEdges;
  const before = { nodes: anchors(changes, 'node'), edges: anchors(changes, 'edge') };
  if (Object.keys(before.nodes).length) body.nodes_before = before.nodes;
  if (Object.keys(before.edges).length) body.edges_before = before.edges;
  if (Object.keys(settings).length) body.set_graph = settings as Partial<GraphFields>;
  return body;
}

/** In front of which known record each new one stands; none for those at the end. */
function anchors(changes: readonly Change[], kind: RecordKind): Record<string, string> {
  const isNew = changes.filter((change) => change.kind === kind && change.before === null);
  const next = new Map(isNew.map((change) => [change.id, change.next]));
  const found: Record<string, string> = {};
  for (const { id } of isNew.toReversed()) {
    const follower = next.get(id);
    const known = follower !== undefined && next.has(follower) ? found[follower] : follower;
    if (known !== undefined) found[id] = known;
  }
  return found;
}

function notesAsRecords(base: Records, notes: readonly NoteDoc[]): RecordValue[] {
  const now = new Map(notes.map((note) => [note.id, note]));
  const gone = [...base.notes.keys()]
    .filter((id) => !now.has(id))
    .map((id) => ({ kind: 'note' as const, id, value: null }));
  return [...gone, ...notes.map((note) => ({ kind: 'note' as const, id: note.id, value: note }))];
}

function settingsAsRecords(base: Records, fields: Partial<GraphFields>): RecordValue[] {
  const settings = settingNames
    .filter((name) => name in fields)
    .map((name) => ({ kind: 'setting' as const, id: name, value: fields[name] ?? null }));
  return fields.notes ? [...settings, ...notesAsRecords(base, fields.notes)] : settings;
}

/** What other people changed, as records. */
export function othersAsRecords(base: Records, others: DraftOthers): RecordValue[] {
  return [
    ...others.nodes.map((node) => ({ kind: 'node' as const, id: node.id, value: node })),
    ...others.deleted_nodes.map((id) => ({ kind: 'node' as const, id, value: null })),
    ...others.edges.map((edge) => ({ kind: 'edge' as const, id: edge.id ?? '', value: edge })),
    ...others.deleted_edges.map((id) => ({ kind: 'edge' as const, id, value: null })),
    ...settingsAsRecords(base, others.graph ?? {}),
  ];
}

/** The other side of the conflicts of a refused save, as records. A graph conflict names a field, or carries several. */
export function conflictsAsRecords(
  base: Records,
  conflicts: readonly DraftConflict[],
): RecordValue[] {
  const kinds: Record<ConflictKind, RecordKind> = { node: 'node', edge: 'edge', graph: 'setting' };
  return conflicts.flatMap(({ kind, id, theirs }): RecordValue[] => {
    if (kind !== 'graph') return [{ kind: kinds[kind], id, value: theirs }];
    const fields =
      id === 'notes' || (settingNames as readonly string[]).includes(id)
        ? { [id]: theirs }
        : theirs;
    return settingsAsRecords(base, (fields ?? {}) as Partial<GraphFields>);
  });
}

/** A record that both sides changed, with the fields in dispute. */
export interface Dispute {
  kind: RecordKind;
  id: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  fields: string[];
}

/** The records in which a field was changed on both sides; the others merge by themselves. */
export function disputes(base: Records, mine: Records, theirs: readonly RecordValue[]): Dispute[] {
  return theirs.flatMap(({ kind, id, value }) => {
    const was = recordOf(base, kind, id);
    const now = recordOf(mine, kind, id);
    const fields = merge3(was, now, value, 'mine').conflicts;
    return fields.length > 0 ? [{ kind, id, base: was, mine: now, theirs: value, fields }] : [];
  });
}

/** `records` (which grew from `base`) with the work of others merged in; a field in dispute goes to whom `prefer` names. */
export function mergeTheirs(
  base: Records,
  records: Records,
  theirs: readonly RecordValue[],
  prefer: (kind: RecordKind, id: string) => 'mine' | 'theirs' = () => 'mine',
): Records {
  const merged = withRecords(
    records,
    theirs.map(({ kind, id, value }) => ({
      kind,
      id,
      value: merge3(recordOf(base, kind, id), recordOf(records, kind, id), value, prefer(kind, id))
        .value,
    })),
  );
  const saved = theirs.filter(
    ({ kind, id, value }) => kind === 'node' && value === null && merged.nodes.has(id),
  );
  return withSurroundings(base, records, merged, new Set(saved.map(({ id }) => id)));
}
