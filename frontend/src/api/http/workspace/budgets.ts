import type * as served from '../../types/schema.gen.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import { wholeList } from '../queries.ts';

export type BudgetPeriod = 'day' | 'week' | 'month' | 'total';

/** A limit of the workspace or of one workflow, and where it stands in its present period. Money is decimal text. */
export type Budget = served.BudgetOut;

export interface BudgetList {
  results: Budget[];
  next: string | null;
  can_edit: boolean;
}

export type SpendSum = served.SpendSum;
export type SpendBy = served.SpendBy;
export type SpendReport = served.SpendOut;

const HALF_MINUTE = 30_000;

export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: () => wholeList<BudgetList, Budget>('budgets/'),
  refetchInterval: HALF_MINUTE,
});

export type SpendOrder = 'spend' | 'tokens' | 'calls';
/** The spend of days, both included, and of as many before; `graph` is the slug of one workflow. */
export const spendQuery = (
  days: { since: string; until: string; graph?: string | undefined },
  ordering: SpendOrder = 'spend',
) =>
  queryOptions({
    queryKey: ['spend', days, ordering],
    queryFn: () => api.get<SpendReport>('spend/', { ...days, ordering }),
    refetchInterval: 2 * HALF_MINUTE,
  });
