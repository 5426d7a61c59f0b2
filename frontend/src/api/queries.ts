import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, setCredentials } from './client.ts';
import type {
  Agent, Credential, FunctionInfo, GraphDetail, GraphSummary, GraphVersion, GraphVersionDetail, Interrupt, Models, NodeTypeInfo, Page, Session, ToolInfo,
} from './types.ts';

const MINUTE = 60_000;

/** A list answer as an array, whether or not it came in pages. */
export function rowsOf<T>(answer: Page<T> | T[]): T[] {
  return Array.isArray(answer) ? answer : answer.results;
}

async function list<T>(path: string, query?: Record<string, string>): Promise<T[]> {
  return rowsOf(await api.get<Page<T> | T[]>(path, query));
}

/** Keep the tokens of a fresh session answer for the requests that follow. */
export function rememberSession(session: Session): Session {
  setCredentials(session.csrf_token, session.workspace?.id ?? null);
  return session;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => rememberSession(await api.get<Session>('session/')),
  staleTime: 5 * MINUTE,
});
export const nodeTypesQuery = queryOptions({
  queryKey: ['node-types'],
  queryFn: () => list<NodeTypeInfo>('node-types/'),
  staleTime: Infinity,
});
export const agentsQuery = queryOptions({ queryKey: ['agents'], queryFn: () => list<Agent>('agents/'), staleTime: MINUTE });
export const toolsQuery = queryOptions({ queryKey: ['tools'], queryFn: () => list<ToolInfo>('tools/'), staleTime: MINUTE });
export const functionsQuery = queryOptions({ queryKey: ['functions'], queryFn: () => list<FunctionInfo>('functions/'), staleTime: MINUTE });
export const credentialsQuery = queryOptions({ queryKey: ['credentials'], queryFn: () => list<Credential>('credentials/'), staleTime: MINUTE });
export const modelsQuery = queryOptions({ queryKey: ['models'], queryFn: () => api.get<Models>('models/'), staleTime: MINUTE });
export const graphsQuery = (search = '') =>
  queryOptions({ queryKey: ['graphs', search], queryFn: () => list<GraphSummary>('graphs/', search ? { search } : undefined) });
export const graphQuery = (id: string) =>
  queryOptions({ queryKey: ['graph', id], queryFn: () => api.get<GraphDetail>(`graphs/${id}/`) });
export const versionsQuery = (id: string) =>
  queryOptions({ queryKey: ['versions', id], queryFn: () => list<GraphVersion>(`graphs/${id}/versions/`) });
export const versionQuery = (id: string, number: number) =>
  queryOptions({ queryKey: ['versions', id, number], queryFn: () => api.get<GraphVersionDetail>(`graphs/${id}/versions/${number}/`), staleTime: Infinity });
export const openInterruptsQuery = queryOptions({
  queryKey: ['interrupts', 'open'],
  queryFn: () => list<Interrupt>('interrupts/', { state: 'open' }),
  refetchInterval: MINUTE,
});

export const useSession = () => useQuery(sessionQuery);
export const useNodeTypes = () => useQuery(nodeTypesQuery);
