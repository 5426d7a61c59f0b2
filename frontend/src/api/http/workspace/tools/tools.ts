import { queryOptions } from '@tanstack/react-query';
import { api } from '../../client.ts';
import type { EffectClass, JsonSchema, ToolInfo } from '../../../types/types.ts';

export type ToolState = 'installed' | 'accepted' | 'new' | 'changed' | 'withdrawn';
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
  effect_class: EffectClass;
}
export interface SourceTool extends ToolInfo {
  state: ToolState;
  on: boolean;
  /** The installed package, with its version, that a function comes from. */
  package: string;
  declared_effect: EffectClass;
  set_effect: string;
  timeout_s: number | null;
  before: ToolDefinition | null;
  decided_by: string | null;
  decided_at: string | null;
  graphs: { id: string; name: string }[];
  agents: string[];
}
export interface ToolSource {
  name: string;
  kind: '' | 'functions' | 'program' | 'http' | 'openapi';
  where: string;
  trusted: boolean;
  state: 'ready' | 'starting' | 'failed';
  problem: string | null;
  own: boolean;
  checked_at: string | null;
  error: string;
  connection: {
    account: string;
    issuer: string;
    given_by: string | null;
    given_at: string;
    ended: string;
  } | null;
  asks_sign_in: boolean;
  tools: SourceTool[];
}
export interface ToolSources {
  results: ToolSource[];
  file: string;
  file_problem: string | null;
}

const LOOK_AGAIN_MS = 2_000;

/** The workspace's sources, looked at again while one of them starts. */
export const toolSourcesQuery = queryOptions({
  queryKey: ['tools', 'sources'],
  queryFn: () => api.get<ToolSources>('tool-sources/'),
  refetchInterval: ({ state: { data } }) => startsStill(data) && LOOK_AGAIN_MS,
});

/** Whether a source has yet to say what it has. */
export const startsStill = (sources: ToolSources | undefined): boolean =>
  sources?.results.some(({ state }) => state === 'starting') ?? false;

/** The path of a tool's verbs; its name may hold what an address may not. */
export const toolPath = (name: string, verb: 'accept' | 'withdraw' | 'settings'): string =>
  `tools/${name.split('/').map(encodeURIComponent).join('/')}/${verb}/`;

/** The tools of a source that somebody has to look at; what was withdrawn is accepted one by one only. */
export const unaccepted = (source: ToolSource): SourceTool[] =>
  source.tools.filter((tool) => tool.state === 'new' || tool.state === 'changed');

/** What is sent to accept these tools as they are shown: names without their source, and hashes. */
export function hashesOf(source: ToolSource, tools: readonly SourceTool[]): Record<string, string> {
  return Object.fromEntries(
    tools.map((tool) => [tool.name.slice(source.name.length + 1), tool.hash]),
  );
}

/** What differs between the accepted definition and the present one, as texts to compare. */
export function definitionChanges(
  tool: SourceTool,
): { field: string; before: string; after: string }[] {
  const { before } = tool;
  if (before === null) return [];
  const pairs = [
    { field: 'Description', before: before.description, after: tool.description },
    {
      field: 'Arguments',
      before: JSON.stringify(before.parameters, null, 2),
      after: JSON.stringify(tool.parameters, null, 2),
    },
    { field: 'Effect', before: before.effect_class, after: tool.declared_effect },
  ];
  return pairs.filter((pair) => pair.before !== pair.after);
}
