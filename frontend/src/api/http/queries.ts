import { notifications } from '@mantine/notifications';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, setCredentials } from './client.ts';
import type {
  Agent,
  Credential,
  FunctionInfo,
  GraphDetail,
  GraphSummary,
  GraphVersion,
  GraphVersionDetail,
  Interrupt,
  Models,
  NodeTypeInfo,
  Page,
  Session,
  ToolInfo,
} from '../types/types.ts';

const MINUTE = 60_000;

/** A list answer as an array, whether or not it came in pages. */
export function rowsOf<T>(answer: Page<T> | T[]): T[] {
  return Array.isArray(answer) ? answer : answer.results;
}

/** Rows of one request, and requests for one list: more than pickers can show in a useful way. */
const PAGE = 200;
const PAGES = 25;

/** Every row of a list, page after page: pickers and lists made of it do not end at a page's border. */
export async function allRows<T>(path: string, query: Record<string, string> = {}): Promise<T[]> {
  return (await wholeList<Page<T>, T>(path, query)).results;
}

/** The first answer of a list with the rows of all its pages; where that are too many, people are told. */
export async function wholeList<A extends { results: T[]; next: string | null }, T>(
  path: string,
  query: Record<string, string> = {},
): Promise<A> {
  const ask = (cursor: string) => api.get<A>(path, { ...query, limit: PAGE, cursor });
  const first = await ask('');
  const rows = [...first.results];
  let { next } = first;
  for (let pages = 1; next && pages < PAGES; pages += 1) {
    const answer = await ask(next);
    rows.push(...answer.results);
    next = answer.next;
  }
  if (next) {
    notifications.show({
      id: `cut-${path}`,
      message: `Only the first ${rows.length.toLocaleString('en')} of a long list are shown (${path.replace(/\/$/, '')}).`,
    });
  }
  return { ...first, results: rows, next };
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
export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: () => allRows<Agent>('agents/'),
  staleTime: MINUTE,
});
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: () => list<ToolInfo>('tools/'),
  staleTime: MINUTE,
});
export const functionsQuery = queryOptions({
  queryKey: ['functions'],
  queryFn: () => list<FunctionInfo>('functions/'),
  staleTime: MINUTE,
});
export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: () => allRows<Credential>('credentials/'),
  staleTime: MINUTE,
});
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => api.get<Models>('models/'),
  staleTime: MINUTE,
});
/** Every workflow, for pickers. */
export const graphsQuery = () =>
  queryOptions({ queryKey: ['graphs', 'all'], queryFn: () => allRows<GraphSummary>('graphs/') });
export const graphQuery = (id: string) =>
  queryOptions({ queryKey: ['graph', id], queryFn: () => api.get<GraphDetail>(`graphs/${id}/`) });
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['versions', id],
    queryFn: () => allRows<GraphVersion>(`graphs/${id}/versions/`),
  });
export const versionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['versions', id, number],
    queryFn: () => api.get<GraphVersionDetail>(`graphs/${id}/versions/${number}/`),
    staleTime: Infinity,
  });
/** How many items one may decide, test runs left out: the answer counts them all, so that one row is enough. */
export const openCountOf = (graph?: string) =>
  queryOptions({
    queryKey: ['interrupts', 'count', graph ?? ''],
    queryFn: async () =>
      (
        await api.get<Page<Interrupt>>('interrupts/', {
          view: 'decide',
          tests: 'false',
          limit: 1,
          ...(graph ? { graph } : {}),
        })
      ).total ?? 0,
    refetchInterval: MINUTE,
  });
export const openCountQuery = openCountOf();

export const useSession = () => useQuery(sessionQuery);
export const useNodeTypes = () => useQuery(nodeTypesQuery);
