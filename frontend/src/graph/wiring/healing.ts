import { incoming, outgoing, type Records } from '../document/document.ts';
import { remove, removeAndHeal } from '../editing/operations.ts';

/** Whether a node lies on one way only: one wire leads to it, and one leaves it that is taken when it is done. */
function isLink(records: Records, id: string): boolean {
  const into = incoming(records, id);
  const out = outgoing(records, id);
  const [only] = out;
  return (
    into.length === 1 &&
    out.length === 1 &&
    into[0]?.source !== id &&
    (only?.on ?? 'completed') === 'completed'
  );
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
