import { settingWords } from '../fields/words/fieldWords.ts';
import type { GraphDoc, NodeDoc } from '../../api/types/documentTypes.ts';
import { type Change, diff } from '../document/diff.ts';
import { type DraftEdge, type Records, toRecords } from '../document/document.ts';
import { fieldChanges, type ThingChange } from '../document/semantic.ts';

/** A node, wire, agent or setting that a draft from words adds, changes or removes. */
export interface Part extends ThingChange {
  key: string;
  before: unknown;
  after: unknown;
}

type WithId = { id: string };

/** The document that a draft is about, as records; nothing for a new workflow. */
export const recordsOf = (document: Partial<GraphDoc> | null): Records =>
  toRecords({ graphwright: 1, id: '', nodes: [], edges: [], ...document });

/** What leads from `before` to `after`, part by part. Places and notes are none. */
export function partsOf(before: Records, after: Records): Part[] {
  const label = (id: string) =>
    ({ __start__: 'Start', __end__: 'End' })[id] ??
    (after.nodes.get(id)?.label || before.nodes.get(id)?.label) ??
    id ??
    id;
  const titleOf = ({ kind, id, before: old, after: now }: Change) => {
    if (kind === 'node') return label(id) || id;
    const edge = (now ?? old) as DraftEdge;
    return `${label(edge.source) || edge.source} → ${label(edge.target) || edge.target}`;
  };
  return diff(before, after)
    .flatMap((change): Part[] => {
      if (change.kind === 'note') return [];
      if (change.kind === 'setting')
        return change.id === 'agents'
          ? agentParts(change)
          : [part('setting', change.id, settingWords(change.id), change)];
      return [part(change.kind, change.id, titleOf(change), change)];
    })
    .filter(({ change, fields }) => change !== 'changed' || fields.length > 0);
}

function agentParts({ before, after }: Change): Part[] {
  const byId = (agents: unknown) =>
    new Map(((agents ?? []) as WithId[]).map((agent) => [agent.id, agent]));
  const [old, now] = [byId(before), byId(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((id) => {
    const change = { before: old.get(id) ?? null, after: now.get(id) ?? null };
    return part('agent', id, id, change);
  });
}

function part(
  kind: Part['kind'],
  id: string,
  title: string,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Part {
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const hidden = kind === 'edge' && change !== 'changed' ? ['id', 'source', 'target'] : ['id'];
  const fields = fieldChanges(before ?? {}, after ?? {}).filter(
    ({ path }) => !hidden.includes(path),
  );
  return { key: `${kind}:${id}`, kind, id, title, change, fields, before, after };
}

/** How many parts there are, in a line: "3 parts: 2 added, 1 changed". */
export function countOf(parts: readonly Part[]): string {
  const kinds = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const count = parts.filter(({ change }) => change === kind).length;
    return count > 0 ? [`${count} ${kind}`] : [];
  });
  return `${parts.length === 1 ? 'One part' : `${parts.length} parts`}: ${kinds.join(', ')}`;
}

/** The sentence about a node that its author wrote for people; "" without one. */
export function aboutOf({ kind, after, before }: Part): string {
  const thing = (after ?? before) as Partial<NodeDoc & DraftEdge> | null;
  if (kind === 'node') return thing?.human_description || thing?.description || '';
  if (kind !== 'edge') return '';
  if (thing?.condition) return `if ${thing.condition}`;
  return thing?.when ? `when it says ${thing.when}` : '';
}
