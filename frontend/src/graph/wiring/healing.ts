import type { Change } from '../document/diff.ts';
import { type DraftEdge, incoming, outgoing, type Records } from '../document/document.ts';
import { remove, removeAndHeal } from '../editing/operations.ts';

/** What a wire waits for of the node that it leaves. */
const outcome = (edge: DraftEdge) => edge.on ?? 'completed';

/** Whether wires lead on to `target` from these ends, whatever they wait for. Each wire is followed once. */
function leadsTo(records: Records, from: readonly string[], target: string): boolean {
  const after = new Map<string, string[]>();
  for (const edge of records.edges.values()) {
    const list = after.get(edge.source);
    if (list) list.push(edge.target);
    else after.set(edge.source, [edge.target]);
  }
  const seen = new Set(from);
  for (const id of seen) for (const next of after.get(id) ?? []) seen.add(next);
  return seen.has(target);
}

/**
 * Whether a node lies on one way only: one wire leads to it, one leaves it that is taken when it is done,
 * and no branch beside it leads from the same end to the same next one, where a wire would pass by that branch.
 */
function isLink(records: Records, id: string): boolean {
  const [into, ...moreInto] = incoming(records, id);
  const [out, ...moreOut] = outgoing(records, id);
  if (!into || !out || moreInto.length + moreOut.length > 0) return false;
  if (into.source === id || outcome(out) !== 'completed') return false;
  const beside = outgoing(records, into.source)
    .filter((edge) => edge !== into && outcome(edge) === outcome(into))
    .map((edge) => edge.target);
  return !leadsTo(remove(records, new Set([id])), beside, out.target);
}

/** Remove nodes, wires and notes; where one way in meets one way out, a node's two neighbours are joined. */
export function removeTidily(records: Records, ids: ReadonlySet<string>): Records {
  const loose = new Set([...ids].filter((id) => !records.nodes.has(id)));
  const rest = [...ids].reduce(
    (now, id) => (now.nodes.has(id) && isLink(now, id) ? removeAndHeal(now, new Set([id])) : now),
    remove(records, loose),
  );
  return remove(rest, ids);
}

/** The wires that a gesture joined where something was removed: they stay, and end elsewhere. */
export function joinedWires(changes: readonly Change[]): DraftEdge[] {
  if (!changes.some(({ kind, after }) => kind === 'node' && after === null)) return [];
  return changes.flatMap(({ kind, before, after }) =>
    kind === 'edge' &&
    before &&
    after &&
    (before as DraftEdge).target !== (after as DraftEdge).target
      ? [after as DraftEdge]
      : [],
  );
}
