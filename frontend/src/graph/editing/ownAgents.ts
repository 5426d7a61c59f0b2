import type { AgentDoc, Json, NodeDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { isRecord } from '../document/equal.ts';
import { resolve, widgetsIn, withValue } from '../schema/schema.ts';

/** The model of a fresh agent: the workspace's default. */
export const DEFAULT_MODEL = 'local/default';

/** The field in which a type needs one agent; null for types that need none. */
export function agentField(type: NodeTypeInfo): string | null {
  const { config_schema: schema } = type;
  const found = Object.entries(schema.properties ?? {}).find(
    ([name, property]) =>
      schema.required?.includes(name) && resolve(property, schema)['x-widget'] === 'agent',
  );
  return found?.[0] ?? null;
}

/** Whether a value says this text somewhere: also where it is no name, so that what is named is never taken away. */
export function says(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (Array.isArray(value)) return value.some((item) => says(item, text));
  return isRecord(value) && Object.values(value).some((item) => says(item, text));
}

const names = (node: NodeDoc, agent: string) =>
  says(node.config, agent) || node.budget?.fallback_agent_id === agent;

/** The agent that belongs to a node alone: it has the node's id, and no other node names it. */
export function ownAgentOf(records: Records, id: string): AgentDoc | null {
  const agent = records.settings.agents?.find((entry) => entry.id === id);
  const node = records.nodes.get(id);
  if (!agent || !node || !names(node, id)) return null;
  const shared = [...records.nodes.values()].some((other) => other.id !== id && names(other, id));
  return shared ? null : agent;
}

/** The agents of the document that a node names. */
export const namedAgents = (records: Records, node: NodeDoc): AgentDoc[] =>
  (records.settings.agents ?? []).filter((agent) => names(node, agent.id));

/** The document with other agents; a list that is empty is not written. */
export function withAgents(records: Records, agents: readonly AgentDoc[]): Records {
  return withRecords(records, [
    { kind: 'setting', id: 'agents', value: agents.length > 0 ? agents : null },
  ]);
}

/** A fresh node whose type needs an agent, with one of its own. Unchanged where it needs none or has one. */
export function withOwnAgent(records: Records, type: NodeTypeInfo, id: string): Records {
  const field = agentField(type);
  const node = records.nodes.get(id);
  const agents = records.settings.agents ?? [];
  if (!field || !node || node.config?.[field] || agents.some((agent) => agent.id === id))
    return records;
  const grown = withAgents(records, [...agents, { id, model: DEFAULT_MODEL }]);
  const config = { ...node.config, [field]: id };
  return withRecords(grown, [{ kind: 'node', id, value: { ...node, config } }]);
}

/** Take along the agents that belonged to removed nodes alone. */
export function withoutOwnOf(before: Records, after: Records): Records {
  const agents = after.settings.agents ?? [];
  const kept = agents.filter(
    (agent) => after.nodes.has(agent.id) || ownAgentOf(before, agent.id) === null,
  );
  return kept.length === agents.length ? after : withAgents(after, kept);
}

/** A node whose config names an agent by another id. */
export function renameAgentIn(
  node: NodeDoc,
  type: NodeTypeInfo | undefined,
  from: string,
  to: string,
): NodeDoc {
  if (!type || !names(node, from)) return node;
  const rename = (value: Json): Json => (value === from ? to : value);
  let config = node.config ?? {};
  for (const { widget, path, value } of widgetsIn(type.config_schema, config)) {
    if (widget !== 'agent' && widget !== 'agents') continue;
    const next = Array.isArray(value) ? value.map(rename) : rename(value);
    config = withValue(config, path, next) as typeof config;
  }
  return { ...node, config };
}
