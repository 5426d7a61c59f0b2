import type { AgentDoc, NodeTypeInfo } from '../../api/types/types.ts';
import type { Change, RecordValue } from '../document/diff.ts';
import { freeId, type Records } from '../document/document.ts';
import { equal } from '../document/equal.ts';
import { renameNode } from '../editing/operations.ts';
import { says, withAgents } from '../editing/ownAgents.ts';

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

/** How this side stands apart: which ids became which, and any of its documents with that done. */
export interface Apart {
  renamed: ReadonlyMap<string, string>;
  settle: (records: Records) => Records;
}

/**
 * This side's new nodes get other ids where others made one of the same id at the same time: they are two
 * nodes, each with an agent of its own. None is renamed where nothing collides.
 */
export function apart(
  sides: Sides,
  types: ReadonlyMap<string, NodeTypeInfo>,
  reserved: ReadonlySet<string>,
): Apart {
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
  const left = leftAgents(sides, callOtherwise(sides.mine, renamed, types), renamed);
  const settle = (records: Records) => withTheirs(callOtherwise(records, renamed, types), left);
  return { renamed, settle };
}

/**
 * The agents that left their ids to the nodes of others. Where both lists of agents said the same nobody
 * tells of theirs, and saving the own list alone would take the agents of others away.
 */
function leftAgents(
  { mine, theirs }: Sides,
  records: Records,
  renamed: ReadonlyMap<string, string>,
): AgentDoc[] {
  const isTold = theirs.some(({ kind, id }) => kind === 'setting' && id === 'agents');
  const there = agentIds(records);
  return (mine.settings.agents ?? []).filter(
    ({ id }) => !isTold && renamed.has(id) && !there.has(id),
  );
}

/** A document with these agents of others in front of its own. */
function withTheirs(records: Records, agents: readonly AgentDoc[]): Records {
  const there = agentIds(records);
  const missing = agents.filter(({ id }) => !there.has(id));
  const own = records.settings.agents ?? [];
  return missing.length > 0 ? withAgents(records, [...missing, ...own]) : records;
}

const agentIds = ({ settings }: Records): ReadonlySet<string> =>
  new Set((settings.agents ?? []).map(({ id }) => id));

/** Whether taking these changes back would act on a node that has another id now, or on its agent. */
export function actsOn(changes: readonly Change[], renamed: ReadonlyMap<string, string>): boolean {
  const ids = [...renamed.keys()];
  return changes.some(({ kind, id, before, after }) => {
    if (kind === 'node' && renamed.has(id)) return true;
    if (kind === 'setting' && id === 'agents')
      return ids.some((node) => !equal(agentIn(before, node), agentIn(after, node)));
    return ids.some((node) => says(before, node) !== says(after, node));
  });
}

const agentIn = (agents: unknown, id: string): AgentDoc | undefined =>
  ((agents ?? []) as AgentDoc[]).find((agent) => agent.id === id);

/** The document with nodes under other ids, and all that names them. */
const callOtherwise = (
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
