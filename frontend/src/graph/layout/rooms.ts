import type { NodeTypeInfo } from '../../api/types/types.ts';
import { type DraftEdge, type Records } from '../document/document.ts';
import { branchPorts } from '../schema/branches.ts';
import { portsOf } from '../schema/ports.ts';
import { cardHeight, FOOT, placesOf } from './geometry.ts';
import { NODE_WIDTH, type SizeOf } from './layout.ts';

/** Ports that a card of a type that is not known yet may have. */
const UNKNOWN = 4;

/** The room that each card will take once it is drawn, with what a run adds at its foot. */
export function roomsOf(
  records: Records,
  types: ReadonlyMap<string, NodeTypeInfo> = new Map(),
): SizeOf {
  let out: ReadonlyMap<string, DraftEdge[]> | null = null; // worked out once it is asked for
  return (id) => {
    out ??= outOf(records);
    const wires = out.get(id) ?? [];
    const type = types.get(records.nodes.get(id)?.type ?? '');
    const ports = portsOf(type, wires, branchPorts(records.settings, wires, undefined));
    const rows = placesOf(ports)[0].length;
    const height = cardHeight(type ? rows : Math.max(rows, UNKNOWN)) + FOOT;
    return { width: NODE_WIDTH, height };
  };
}

function outOf(records: Records): ReadonlyMap<string, DraftEdge[]> {
  const out = new Map<string, DraftEdge[]>();
  for (const edge of records.edges.values()) {
    const wires = out.get(edge.source);
    if (wires) wires.push(edge);
    else out.set(edge.source, [edge]);
  }
  return out;
}
