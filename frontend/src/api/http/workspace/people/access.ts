import type * as served from '../../../types/schema.gen.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../client.ts';
import { allRows } from '../../queries.ts';
import type { Page, Role } from '../../../types/types.ts';

interface Named {
  id: string;
  name: string;
}
export type ApiToken = served.TokenOut;
export type ServiceAccount = served.AccountOut;
export type NewApiToken = served.NewTokenOut;
export interface Invitation {
  id: string;
  role: Role;
  groups: string[];
  email: string;
  invited_by: Named | null;
  created_at: string;
  expires_at: string;
}
export interface NewInvitation extends Invitation {
  code: string;
  mailed: boolean;
}
export type Invited = Omit<served.InvitedOut, 'role'> & { role: Role };
export type AuditEntry = served.AuditOut;
export type Verification = served.VerificationOut;
export interface AuditFilter {
  search?: string;
  action?: string;
  actor?: string;
  since?: string;
  until?: string;
}

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () => allRows<ApiToken>('tokens/'),
});
export type MemberGroup = served.GroupOut;
export type GroupUse = served.GroupUse;

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: () => allRows<MemberGroup>('groups/'),
});
export const serviceAccountsQuery = queryOptions({
  queryKey: ['tokens', 'accounts'],
  queryFn: () => allRows<ServiceAccount>('service-accounts/'),
});
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => allRows<Invitation>('invitations/'),
});

/** Entries, the latest first, a page at a time. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<AuditEntry>>('audit/', { ...filter, cursor: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

/** The address that an invited person opens; the code stands behind `#`, so no server sees it in an address. */
export const joinLink = (code: string): string => `${window.location.origin}/join#${code}`;
