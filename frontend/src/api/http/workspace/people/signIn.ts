import { queryOptions } from '@tanstack/react-query';
import type * as served from '../../../types/schema.gen.ts';
import type { Page, Role } from '../../../types/types.ts';
import { api } from '../../client.ts';

/** A firm's own sign-in, as an admin of the workspace sees it. */
export type IdentityProvider = Omit<served.IdentityProviderOut, 'group_map'> & {
  group_map: MappedGroup[];
};
/** What one group of the firm gives in the workspace; `*` is everybody. */
export interface MappedGroup {
  group: string;
  role: Role;
  groups: string[];
}
export type Identity = served.IdentityOut;

export const identityProvidersQuery = queryOptions({
  queryKey: ['identity-providers'],
  queryFn: async () => (await api.get<Page<IdentityProvider>>('identity-providers/')).results,
});
export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: async () => (await api.get<Page<Identity>>('identities/')).results,
});

/** Go to the firm's page; the browser comes back signed in, or connected. */
export async function goTo(provider: string, next: string, connect = false): Promise<void> {
  const { url } = await api.post<served.BeginOut>(`sign-in/${provider}/`, { next, connect });
  window.location.assign(url);
}

const FOLLOWED = 'graphwright.invitation';

/** Go to the firm's page by an invitation; this tab remembers the code for when it comes to nothing. */
export async function followTo(provider: string, invitation: string): Promise<void> {
  const { url } = await api.post<served.BeginOut>(`sign-in/${provider}/`, { invitation });
  sessionStorage.setItem(FOLLOWED, invitation);
  window.location.assign(url);
}
/** The code of the invitation that this tab followed to a firm, or nothing. */
export const followedCode = (): string => sessionStorage.getItem(FOLLOWED) ?? '';

const REFUSED: Record<string, string> = {
  AccountExists:
    'There is an account of this address already. Sign in with it, then connect the two in your profile.',
  AccountOff: 'This account is switched off. Ask an admin.',
  AlreadyMember: 'You are a member already: sign in.',
  AlreadyConnected:
    'That account is connected with somebody else here, or you are connected with another one there.',
  CameByProvider: 'Sign in with your password or passkey to connect accounts.',
  ConfirmFirst: 'It took too long: show your password again and connect anew.',
  Declined: 'The other side did not sign you in.',
  InvitationExpired: 'This link has expired: ask for another.',
  InvitationNotFound: 'This link leads nowhere: ask for another.',
  InvitationUsed: 'This link was used already: ask for another.',
  InputInvalid: 'What the other side tells of you cannot be used here. Ask an admin.',
  NoGroup:
    'You are known there, and none of your groups opens anything here. Ask an admin of the workspace.',
  OtherAddress:
    'This invitation is for another address than the one that is known there. Ask for one of your own.',
  ProviderSaysOtherwise: 'The sign-in did not hold: what came back was not meant for this browser.',
  ProviderUnusable: 'The other side does not answer as it should. Try again later.',
  SignInOver: 'This sign-in began in another browser, or too long ago. Begin again.',
  TooManyAttempts: 'Too many attempts. Wait a few minutes.',
};
/** Why a sign-in by a firm came to nothing, for the code that stands in the address. */
export const refusedText = (code: string | null): string | null =>
  code === null ? null : (REFUSED[code] ?? 'The sign-in came to nothing. Try again.');
