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

/** The spend of the days from `since` to today, and of as many before. */
export type SpendOrder = 'spend' | 'tokens' | 'calls';
export const spendQuery = (since: string, ordering: SpendOrder = 'spend') =>
  queryOptions({
    queryKey: ['spend', since, ordering],
    queryFn: () => api.get<SpendReport>('spend/', { since, ordering }),
    refetchInterval: 2 * HALF_MINUTE,
  });
