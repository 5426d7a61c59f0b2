import { type DraftEdge, END, type Records } from '../document/document.ts';
import { inOrder } from '../wiring/ways.ts';

/** What is reached from a root, as it is told: ways without the wires that lead back, and where ways meet. */
export interface Order {
  /** Every node that is reached, before all that follow it. */
  nodes: string[];
  /** Wires of a node, as they are tried. */
  out: (id: string) => readonly DraftEdge[];
  /** Whether a wire leads back to a node that comes before. */
  isBack: (edge: DraftEdge) => boolean;
  /** How many wires lead to a node, those that lead back not counted. */
  ways: (id: string) => number;
  /** Nodes at which ways meet that parted at this node. */
  meets: (id: string) => readonly string[];
}

/** Nodes after a root, each before those that follow it; and the wires that lead back. */
function walked(root: string, out: (id: string) => readonly DraftEdge[]) {
  const done: string[] = [];
  const back = new Set<string>();
  const state = new Map<string, 'open' | 'done'>([[root, 'open']]);
  const stack = [{ id: root, left: [...out(root)] }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    // taken from the end, so that what is tried first comes first once the order is turned round
    const edge = top.left.pop();
    if (!edge) {
      state.set(top.id, 'done');
      done.push(top.id);
      stack.pop();
    } else if (state.get(edge.target) === 'open') back.add(edge.id);
    else if (!state.has(edge.target)) {
      state.set(edge.target, 'open');
      stack.push({ id: edge.target, left: [...out(edge.target)] });
    }
  }
  return { nodes: done.toReversed(), back };
}

/** The node through which every way to a node leads last, by node. */
function gates(nodes: readonly string[], into: (id: string) => readonly string[]) {
  const place = new Map(nodes.map((id, index) => [id, index]));
  const gate = new Map<string, string>();
  const at = (id: string) => place.get(id) ?? 0;
  const shared = (one: string, other: string) => {
    let [a, b] = [one, other];
    while (a !== b) {
      if (at(a) > at(b)) a = gate.get(a) ?? nodes[0] ?? a;
      else b = gate.get(b) ?? nodes[0] ?? b;
    }
    return a;
  };
  for (const id of nodes.slice(1)) gate.set(id, into(id).reduce(shared));
  return gate;
}

/** The wires that leave each node, as they are tried. */
export function leavingOf(records: Records): ReadonlyMap<string, DraftEdge[]> {
  const leaving = new Map<string, DraftEdge[]>();
  for (const edge of records.edges.values()) {
    const list = leaving.get(edge.source);
    if (list) list.push(edge);
    else leaving.set(edge.source, [edge]);
  }
  return new Map([...leaving].map(([id, edges]) => [id, inOrder(edges)]));
}

/** The order in which a run goes through what a root leads to; nodes in `but` are told elsewhere. */
export function orderFrom(
  records: Records,
  leaving: ReadonlyMap<string, DraftEdge[]>,
  root: string,
  but: ReadonlySet<string>,
): Order {
  const all = (id: string) => leaving.get(id) ?? [];
  const inner = (id: string) =>
    all(id).filter(({ target }) => target !== END && records.nodes.has(target) && !but.has(target));
  const { nodes, back } = walked(root, inner);
  const into = new Map<string, string[]>();
  for (const id of nodes)
    for (const edge of inner(id))
      if (!back.has(edge.id)) into.set(edge.target, [...(into.get(edge.target) ?? []), id]);
  const ways = (id: string) => into.get(id)?.length ?? 0;
  const gate = gates(nodes, (id) => into.get(id) ?? [root]);
  const meets = new Map<string, string[]>();
  for (const id of nodes) {
    const from = gate.get(id);
    if (from !== undefined && ways(id) > 1) meets.set(from, [...(meets.get(from) ?? []), id]);
  }
  return {
    nodes,
    out: all,
    isBack: (edge) => back.has(edge.id),
    ways,
    meets: (id) => meets.get(id) ?? [],
  };
}
