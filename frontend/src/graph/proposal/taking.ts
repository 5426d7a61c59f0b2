import type { NodeTypeInfo } from '../../api/types/types.ts';
import { apply, type Change, recordOf } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { equal } from '../document/equal.ts';
import { merge3 } from '../document/merge.ts';
import { placedAmong } from './placing.ts';
import type { Part } from './parts.ts';

type Agent = { id: string };

const agentsOf = (records: Records) => (records.settings.agents ?? []) as readonly Agent[];

/** What a part is about as it stands now; null where it is not there. */
function nowOf(records: Records, { kind, id }: Part): unknown {
  if (kind === 'agent') return agentsOf(records).find((agent) => agent.id === id) ?? null;
  return recordOf(records, kind, id);
}

/** Whether somebody changed the same since the draft was asked for: then what is there stays. */
export function isContested(records: Records, part: Part): boolean {
  return merge3(part.before, part.after, nowOf(records, part), 'theirs').conflicts.length > 0;
}

/** Whether the workflow says already what the part would make it say. */
export function isThere(records: Records, part: Part): boolean {
  const now = nowOf(records, part);
  const merged = merge3(part.before, part.after, now, 'theirs').value ?? null;
  return equal(merged, now) && !isContested(records, part);
}

/** The workflow with these parts in it, new nodes where there is room. */
export function withParts(
  records: Records,
  parts: readonly Part[],
  types?: ReadonlyMap<string, NodeTypeInfo>,
): Records {
  const changes = parts
    .filter((part) => part.kind !== 'agent')
    .map(({ kind, id, before, after }) => ({ kind, id, before, after }) as Change);
  const agents = parts.filter((part) => part.kind === 'agent');
  const made = apply(records, [
    ...changes,
    ...(agents.length > 0 ? [agentChange(records, agents)] : []),
  ]);
  return placedAmong(made, records, types);
}

function agentChange(records: Records, parts: readonly Part[]): Change {
  const before = agentsOf(records);
  const made = new Map(before.map((agent) => [agent.id, agent]));
  for (const part of parts) {
    const { value } = merge3(part.before, part.after, nowOf(records, part), 'theirs');
    if (value) made.set(part.id, value as Agent);
    else made.delete(part.id);
  }
  return {
    kind: 'setting',
    id: 'agents',
    before: records.settings.agents ?? null,
    after: [...made.values()],
  };
}
