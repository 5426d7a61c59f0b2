import { queryOptions } from '@tanstack/react-query';
import type { ApiOperationsOut, OwnToolSource } from '../../../types/schema.gen.ts';
import { api } from '../../client.ts';

export type {
  ApiOperationOut,
  ApiOperationsOut,
  OwnToolSource,
} from '../../../types/schema.gen.ts';

/** How a secret is sent: in the credential's own header, or in one that the server names. */
export interface Sent {
  credential: string;
  headers: Record<string, string | { credential: string }>;
}
/** What a form says of credential and headers. */
export interface SentDraft {
  credential: string;
  header: string;
  headers: string;
}

export const ownSourceQuery = (name: string) =>
  queryOptions({
    queryKey: ['tools', 'own', name],
    queryFn: () => api.get<OwnToolSource>(`tool-sources/${name}/`),
  });

/** What the document of an API offers: read anew each time, as it may be large. */
export const operationsQuery = (name: string) =>
  queryOptions({
    queryKey: ['operations', name],
    queryFn: () => api.get<ApiOperationsOut>(`tool-sources/${name}/operations/`),
    gcTime: 0,
  });

/** What is sent of a form. Headers are one in a line; a line without a colon is refused. */
export function sentOf(draft: SentDraft): Sent {
  const headers: Sent['headers'] = {};
  for (const line of draft.headers.split('\n').filter((each) => each.trim())) {
    const at = line.indexOf(':');
    if (at < 1) throw new Error(`Write a header as "Name: value", not "${line.trim()}".`);
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  const header = draft.header.trim();
  if (!draft.credential || !header) return { credential: draft.credential, headers };
  return { credential: '', headers: { ...headers, [header]: { credential: draft.credential } } };
}

/** What a form shows of what is stored. */
export function sentDraft(known?: OwnToolSource): SentDraft {
  const entries = Object.entries(known?.headers ?? {});
  const secret = entries.find(([, value]) => typeof value === 'object');
  const plain = entries.filter(([, value]) => typeof value === 'string');
  return {
    credential:
      known?.credential || (secret?.[1] as { credential: string } | undefined)?.credential || '',
    header: known?.credential ? '' : (secret?.[0] ?? ''),
    headers: plain.map(([name, value]) => `${name}: ${String(value)}`).join('\n'),
  };
}
