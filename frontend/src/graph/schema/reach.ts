import { incoming, outgoing, type Records } from '../document/document.ts';

export type Way = 'downstream' | 'upstream';

/** These nodes and every node that the wires lead to from them, or that leads to them. Loops are walked once. */
export function reach(records: Records, from: readonly string[], way: Way): string[] {
  const found = new Set(from.filter((id) => records.nodes.has(id)));
  for (const id of found) {
    const next =
      way === 'downstream'
        ? outgoing(records, id).map((edge) => edge.target)
        : incoming(records, id).map((edge) => edge.source);
    for (const end of next) if (records.nodes.has(end)) found.add(end);
  }
  return [...found];
}
