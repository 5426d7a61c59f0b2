/** What started runs, in words, and where these runs are listed. */

import type { BoardFilter, StartedRow } from '../../../api/http/boards.ts';

const SOURCES: Record<string, string> = {
  person: 'People',
  api: 'Programs, by the API',
  chat: 'Chats',
  openai: 'Programs, as a chat model',
  mcp: 'Programs, as a tool (MCP)',
  webhook: 'Webhook',
  schedule: 'Schedule',
  event: 'Event',
  bulk: 'Retried in bulk',
  '-': 'Other runs, or not noted',
};

/** A person, a program, or a trigger by its name and workflow. */
export function startedWords({ source, trigger, name, graph }: StartedRow): string {
  const kind = SOURCES[source] ?? source;
  if (!trigger) return kind;
  return name ? `${kind} “${name}” of ${graph}` : `${kind} that is gone`;
}

/** The runs that a number counts. */
export function startedAddress(
  { source, trigger }: StartedRow,
  { since, until }: { since: string; until: string },
  filter: BoardFilter,
  status?: string,
): string {
  const query = new URLSearchParams({
    ...(status ? { status } : {}),
    since,
    until,
    source,
    ...(trigger ? { trigger } : {}),
    ...(filter.graph ? { graph: filter.graph } : {}),
  });
  return `/runs?${query.toString()}`;
}
