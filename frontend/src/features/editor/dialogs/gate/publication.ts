import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/http/client.ts';
import { membersQuery } from '../../../../api/http/lists.ts';
import type * as served from '../../../../api/types/schema.gen.ts';

export type Publication = served.PublicationOut;
const LOOK_MS = 2_000;

/** Who has to approve what is published, and the last request; looked at anew while one waits. */
export const publicationQuery = (graphId: string) =>
  queryOptions({
    queryKey: ['publication', graphId],
    queryFn: () => api.get<Publication>(`graphs/${graphId}/publication/`),
    refetchInterval: ({ state }) => (state.data?.request?.state === 'open' ? LOOK_MS : false),
  });

/** Change something about it; what the server answers is shown. */
export function usePublicationChange<T>(
  graphId: string,
  change: (value: T) => Promise<Publication>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (found) => client.setQueryData(publicationQuery(graphId).queryKey, found),
  });
}

const ROLES = [
  { value: 'role:reviewer', label: 'any reviewer' },
  { value: 'role:operator', label: 'any operator' },
  { value: 'role:admin', label: 'any admin' },
];

/** Who can be asked to approve, in groups of choices. */
export function useApproverChoices() {
  const { data: members } = useQuery(membersQuery);
  const groups = [...new Set((members ?? []).flatMap((member) => member.groups))].toSorted();
  const deciders = (members ?? []).filter(({ role }) => ROLES.some((r) => r.value.endsWith(role)));
  const choices = [
    { group: 'Roles', items: ROLES },
    { group: 'Groups', items: groups.map((name) => ({ value: `group:${name}`, label: name })) },
    {
      group: 'People',
      items: deciders.map(({ user }) => ({ value: `user:${user.id}`, label: user.name })),
    },
  ].filter(({ items }) => items.length > 0);
  return choices;
}
