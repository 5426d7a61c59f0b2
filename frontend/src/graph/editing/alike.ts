import type { NodeDoc } from '../../api/types/types.ts';
import { withRecords } from '../document/diff.ts';
import { type DraftEdge, outgoing, type Records, START } from '../document/document.ts';
import { UNSAID } from '../schema/ports.ts';
import { readOne } from '../conditions/read.ts';

const groupOf = (edge: DraftEdge) => edge.on ?? 'completed';
const isPlain = (edge: DraftEdge) => !edge.when && typeof edge.condition !== 'string';
const asks = (edge: DraftEdge) => JSON.stringify([edge.when || null, edge.condition ?? null]);

/** The wires of one node and outcome that are chosen from, in the order in which they are tried. */
function choice(records: Records, edge: DraftEdge, out: readonly DraftEdge[]): DraftEdge[] {
  const named = Boolean(records.nodes.get(edge.source)?.config?.['expression']);
  const group = out.filter(
    (other) =>
      groupOf(other) === groupOf(edge) && other.trigger !== 'agent' && !(named && isPlain(other)),
  );
  return group.every(isPlain)
    ? []
    : group.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
}

/**
 * The wires that ask for the same as this one, itself among them, in the order in which they are tried: only the first
 * of them is taken. Empty where there is no other, and where the node takes all that fit.
 */
export function alike(
  records: Records,
  edge: DraftEdge,
  out: readonly DraftEdge[] = outgoing(records, edge.source),
): DraftEdge[] {
  if (edge.source === START || edge.trigger === 'agent' || edge.condition === UNSAID) return [];
  if (records.nodes.get(edge.source)?.branching === 'all') return [];
  const same = choice(records, edge, out).filter((other) => asks(other) === asks(edge));
  return same.length > 1 && same.includes(edge) ? same : [];
}

/** The wires among those of one node that are never taken, as an earlier one asks for the same. */
export function idleWires(records: Records, out: readonly DraftEdge[]): DraftEdge[] {
  const [first] = out;
  if (!first || out.length < 2 || first.source === START || out.every(isPlain)) return [];
  if (records.nodes.get(first.source)?.branching === 'all') return [];
  return [...new Set(out.map(groupOf))].flatMap((on) => {
    const sample = out.find((edge) => groupOf(edge) === on && edge.trigger !== 'agent');
    const seen = new Set<string>();
    return (sample ? choice(records, sample, out) : []).filter((edge) => {
      const known = seen.has(asks(edge)) && edge.condition !== UNSAID;
      seen.add(asks(edge));
      return known;
    });
  });
}

/** Whether two wires can never be taken at once: an Otherwise and another, other values of a field, other tokens. */
function exclude(one: DraftEdge, other: DraftEdge): boolean {
  if (isPlain(one) || isPlain(other)) return isPlain(one) !== isPlain(other);
  if (one.when && other.when) return one.when !== other.when;
  const [mine, its] = [readOne(one.condition), readOne(other.condition)];
  return (
    mine?.op === 'is' &&
    its?.op === 'is' &&
    mine.field === its.field &&
    mine.values[0] !== its.values[0]
  );
}

/** The wires that may be taken together with this one where its node takes all that fit. */
export const besides = (records: Records, edge: DraftEdge): DraftEdge[] =>
  choice(records, edge, outgoing(records, edge.source)).filter(
    (other) => other.id !== edge.id && !exclude(edge, other),
  );

/** The document in which a node takes all wires that fit, or again the first of them alone. */
export function takeAll(records: Records, id: string, all = true): Records {
  const node = records.nodes.get(id);
  if (!node || (node.branching === 'all') === all) return records;
  const value: NodeDoc = { ...node, branching: 'all' };
  if (!all) Reflect.deleteProperty(value, 'branching');
  return withRecords(records, [{ kind: 'node', id, value }]);
}
