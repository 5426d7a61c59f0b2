import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../../api/http/client.ts';
import type * as served from '../../../../api/types/schema.gen.ts';
import type { Page } from '../../../../api/types/types.ts';

export type OfferedField = served.OfferedFieldOut;

/** The fields that open items show, as their workflows declare them. */
export const offeredFieldsQuery = queryOptions({
  queryKey: ['interrupts', 'fields'],
  queryFn: async () => (await api.get<Page<OfferedField>>('interrupts/fields/')).results,
  staleTime: 60_000,
});
