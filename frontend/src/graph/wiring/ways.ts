import { type DraftEdge, incoming, outgoing, type Records } from '../document/document.ts';
import { IF } from '../schema/branches.ts';
import { MAIN, NEW_BRANCH, type Port, portOf } from '../schema/ports.ts';

const outcomes = ['failed', 'rejected', 'timed_out'];

const isValue = ({ id }: Port): boolean => id.startsWith(IF);

/**
 * The ports of a node from which a run goes on when nothing went wrong: those of tokens and values, and
 * what is left of the values; else the plain one before the rest.
 */
export function waysOn(ports: readonly Port[]): Port[] {
  const on = ports.filter((port) => !outcomes.includes(port.id));
  const tokens = on.filter((port) => (port.when && port.kind !== 'dynamic') || isValue(port));
  const plain = on.filter((port) => port.id === MAIN);
  const left = tokens.some(isValue) ? plain : [];
  return tokens.length > 0 ? [...tokens, ...left] : [...new Set([...plain, ...on])];
}

/** The port by which a node goes on, one without a wire first; `free` says whether it has none. */
export function wayOn(
  records: Records,
  id: string,
  ports: readonly Port[],
): { port: string; free: boolean } {
  const used = new Set(outgoing(records, id).map(portOf));
  const ways = waysOn(ports);
  const open = ways.find((port) => port.id === NEW_BRANCH || !used.has(port.id));
  const left = ways.some(isValue) ? ways.find((port) => port.id === MAIN) : undefined;
  return { port: (open ?? left ?? ways[0])?.id ?? MAIN, free: open !== undefined };
}

/** The wires of a node in the order in which they are chosen: those that leave it as they are tried, then those that arrive. */
export function wiresOf(records: Records, id: string): DraftEdge[] {
  const out = inOrder(outgoing(records, id));
  return [...out, ...incoming(records, id).filter((edge) => edge.source !== id)];
}

/** Edges as a run tries them: by priority, then as they stand in the document. */
export const inOrder = (edges: readonly DraftEdge[]): DraftEdge[] =>
  edges.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
