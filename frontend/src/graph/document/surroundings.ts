import type { AgentDoc, EdgeDoc } from '../../api/types/types.ts';
import { type RecordValue, withRecords } from './diff.ts';
import type { Records } from './document.ts';

/**
 * `merged` with what belongs to nodes that were kept although somebody else deleted them: their
 * wires as they are in `mine`, and their agents. A wire that healed the gap goes again.
 */
export function withSurroundings(
  base: Records,
  mine: Records,
  merged: Records,
  kept: ReadonlySet<string>,
): Records {
  if (kept.size === 0) return merged;
  const touches = ({ source, target }: EdgeDoc) => kept.has(source) || kept.has(target);
  const wires = [...mine.edges].filter(
    ([, wire]) => touches(wire) && isThere(merged, wire.source) && isThere(merged, wire.target),
  );
  const changes: RecordValue[] = wires.map(([id, value]) => ({ kind: 'edge', id, value }));
  const healed = [...merged.edges].filter(
    ([id, wire]) => !base.edges.has(id) && bridges(wire, mine, kept),
  );
  changes.push(...healed.map(([id]): RecordValue => ({ kind: 'edge', id, value: null })));
  const agents = lostAgents(mine, merged, kept);
  if (agents.length > 0)
    changes.push({
      kind: 'setting',
      id: 'agents',
      value: [...(merged.settings.agents ?? []), ...agents],
    });
  return withRecords(merged, changes);
}

const isThere = (records: Records, id: string): boolean =>
  id.startsWith('__') || records.nodes.has(id);

/** Whether a wire leads from before a kept node to behind it. */
function bridges({ source, target }: EdgeDoc, mine: Records, kept: ReadonlySet<string>): boolean {
  const wires = [...mine.edges.values()];
  return [...kept].some(
    (id) =>
      wires.some((wire) => wire.source === source && wire.target === id) &&
      wires.some((wire) => wire.source === id && wire.target === target),
  );
}

/** The agents of kept nodes that left the document with them. */
function lostAgents(mine: Records, merged: Records, kept: ReadonlySet<string>): AgentDoc[] {
  const named = new Set([...kept].map((id) => mine.nodes.get(id)?.config?.agent_id));
  const there = new Set((merged.settings.agents ?? []).map(({ id }) => id));
  return (mine.settings.agents ?? []).filter(({ id }) => named.has(id) && !there.has(id));
}
