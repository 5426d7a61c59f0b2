import type { NodeTypeInfo } from '../../api/types/types.ts';
import type { RecordValue } from '../document/diff.ts';
import { freeId, type Records } from '../document/document.ts';
import { equal } from '../document/equal.ts';
import { renameNode } from '../editing/operations.ts';
import { withAgents } from '../editing/ownAgents.ts';

/** Two sides that grew from one draft. */
export interface Sides {
  base: Records;
  mine: Records;
  theirs: readonly RecordValue[];
}

/** Ids under which both sides made a node of their own. */
function doubles({ base, mine, theirs }: Sides): string[] {
  return theirs.flatMap(({ kind, id, value }) => {
    const own = mine.nodes.get(id);
    if (kind !== 'node' || value === null || !own || base.nodes.has(id)) return [];
    return equal(own, value) ? [] : [id];
  });
}

/**
 * This side with its new nodes under other ids where others made one of the same id at the same time:
 * they are two nodes, each with an agent of its own. Gives which ids became which, none where nothing collides.
 */
export function apart(
  sides: Sides,
  types: ReadonlyMap<string, NodeTypeInfo>,
  reserved: ReadonlySet<string>,
): { records: Records; renamed: ReadonlyMap<string, string> } {
  const taken = new Set([
    ...reserved,
    ...sides.mine.nodes.keys(),
    ...sides.theirs.map(({ id }) => id),
    ...[sides.mine, sides.base]
      .flatMap(({ settings }) => settings.agents ?? [])
      .map(({ id }) => id),
    ...agentsOf(sides.theirs),
  ]);
  const renamed = new Map<string, string>();
  for (const id of doubles(sides)) {
    const fresh = freeId(id, taken);
    taken.add(fresh);
    renamed.set(id, fresh);
  }
  const records = callOtherwise(sides.mine, renamed, types);
  return { records: withTheirAgents(sides, records, renamed), renamed };
}

/**
 * With the agents that left their ids to the nodes of others. Where both lists of agents said the same nobody
 * tells of theirs, and saving the own list alone would take the agents of others away.
 */
function withTheirAgents(
  { mine, theirs }: Sides,
  records: Records,
  renamed: ReadonlyMap<string, string>,
): Records {
  const isTold = theirs.some(({ kind, id }) => kind === 'setting' && id === 'agents');
  const there = records.settings.agents ?? [];
  const left = (mine.settings.agents ?? []).filter(
    ({ id }) => renamed.has(id) && !there.some((agent) => agent.id === id),
  );
  return isTold || left.length === 0 ? records : withAgents(records, [...left, ...there]);
}

/** The document with nodes under other ids, and all that names them. */
export const callOtherwise = (
  records: Records,
  renamed: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, NodeTypeInfo>,
): Records => [...renamed].reduce((now, [id, to]) => renameNode(now, id, to, types), records);

const agentsOf = (theirs: readonly RecordValue[]): string[] =>
  theirs
    .flatMap(({ kind, id, value }) =>
      kind === 'setting' && id === 'agents' ? ((value ?? []) as { id: string }[]) : [],
    )
    .map(({ id }) => id);
