import { type DraftEdge, END, type Records, START } from '../document/document.ts';
import { nodeReferences } from '../schema/schema.ts';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { leavingOf, type Order, orderFrom } from './order.ts';

/** Where a way leads that is not told right below it: a number of the outline, or the end. */
export interface Goal {
  id: string;
  back: boolean;
}

/** One line of the outline. A `way` is a wire of a node that has several; its `id` is the wire's. */
export interface OutlineRow {
  key: string;
  kind: 'start' | 'node' | 'way' | 'loose' | 'note';
  id: string;
  level: number;
  /** Its place in the order of a run; only nodes have one. */
  number?: number;
  /** The wires that leave it, for a node. */
  ways?: number;
  goal?: Goal;
  /** It is run by the node above it, not by a wire. */
  run?: boolean;
}

type Types = ReadonlyMap<string, NodeTypeInfo>;

/** Writes the rows of what one root leads to. */
class Teller {
  readonly rows: OutlineRow[] = [];
  readonly told = new Set<string>();
  private count = 0;
  private readonly leaving;
  private readonly led;

  constructor(
    private readonly records: Records,
    private readonly types: Types,
  ) {
    this.leaving = leavingOf(records);
    this.led = new Set([...records.edges.values()].map((edge) => edge.target));
  }

  /** Tell a root and all that follows it that was not told yet. */
  from(root: string, level: number): void {
    this.line(orderFrom(this.records, this.leaving, root, this.told), root, level);
  }

  /** Tell a node and what follows it on the same level, and the ways that part in between below it. */
  private line(order: Order, first: string, level: number): void {
    const waiting = [first];
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (this.told.has(id)) continue;
      const out = order.out(id);
      const own = (edge: DraftEdge) =>
        edge.target !== END && order.ways(edge.target) === 1 && !order.isBack(edge);
      const nested = out.filter((edge) => own(edge) && !this.told.has(edge.target));
      const [only] = out;
      const straight = out.length === 1 && nested.length === 1;
      this.row(
        id,
        level,
        out.length,
        straight || !only || out.length > 1 ? undefined : goalOf(order, only),
      );
      this.runs(id, level + 1);
      const flat = nested.length === 1 ? nested[0]?.target : undefined;
      if (out.length > 1) {
        for (const edge of out) {
          const below = flat === undefined && nested.includes(edge);
          this.way(edge, level + 1, below ? undefined : goalOf(order, edge));
          if (below) this.line(order, edge.target, level + 2);
        }
      }
      waiting.unshift(...(flat === undefined ? [] : [flat]), ...order.meets(id));
    }
  }

  private row(id: string, level: number, ways: number, goal: Goal | undefined): void {
    this.told.add(id);
    const start = id === START;
    if (!start) this.count += 1;
    this.rows.push({
      key: `node ${id}`,
      kind: start ? 'start' : 'node',
      id,
      level,
      ways,
      ...(start ? {} : { number: this.count }),
      ...(goal ? { goal } : {}),
    });
  }

  private way(edge: DraftEdge, level: number, goal: Goal | undefined): void {
    this.rows.push({
      key: `way ${edge.id}`,
      kind: 'way',
      id: edge.id,
      level,
      ...(goal ? { goal } : {}),
    });
  }

  /** Nodes that a node runs itself, and that no wire leads to. */
  private runs(id: string, level: number): void {
    const node = this.records.nodes.get(id);
    if (!node) return;
    for (const child of new Set(nodeReferences(this.types.get(node.type), node))) {
      if (!this.records.nodes.has(child) || this.led.has(child) || this.told.has(child)) continue;
      const at = this.rows.length;
      this.from(child, level);
      const row = this.rows[at];
      if (row) row.run = true;
    }
  }
}

const goalOf = (order: Order, edge: DraftEdge): Goal => ({
  id: edge.target,
  back: order.isBack(edge),
});

/**
 * The graph as lines in the order of a run. Ways that part stand below their node; where they meet again
 * is told once, on the level where they parted. What the start does not lead to comes last.
 */
export function outlineOf(records: Records, types: Types): OutlineRow[] {
  const teller = new Teller(records, types);
  teller.from(START, 1);
  const referred = new Set(
    [...records.nodes.values()].flatMap((node) => nodeReferences(types.get(node.type), node)),
  );
  const led = new Set([...records.edges.values()].map((edge) => edge.target));
  const rest = [...records.nodes.keys()];
  const roots = [
    ...rest.filter((id) => !led.has(id) && !referred.has(id)),
    ...rest.filter((id) => !led.has(id)),
    ...rest,
  ];
  for (const id of roots) {
    if (teller.told.has(id)) continue;
    if (!teller.rows.some((row) => row.kind === 'loose'))
      teller.rows.push({ key: 'loose', kind: 'loose', id: '', level: 1 });
    teller.from(id, 2);
  }
  const notes = [...records.notes.values()].map(({ id }): OutlineRow => ({
    key: `note ${id}`,
    kind: 'note',
    id,
    level: 1,
  }));
  return [...teller.rows, ...notes];
}

/** The rows that are seen while those in `folded` keep what is below them to themselves. */
export function unfolded(rows: readonly OutlineRow[], folded: ReadonlySet<string>): OutlineRow[] {
  const shown: OutlineRow[] = [];
  let hidden = Infinity;
  for (const row of rows) {
    if (row.level > hidden) continue;
    hidden = folded.has(row.key) ? row.level : Infinity;
    shown.push(row);
  }
  return shown;
}

/** Whether something is told below a row. */
export const hasBelow = (rows: readonly OutlineRow[], index: number): boolean =>
  (rows[index + 1]?.level ?? 0) > (rows[index]?.level ?? 0);
