import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { wholeList } from './queries.ts';

export type BudgetPeriod = 'day' | 'week' | 'month' | 'total';

/** A limit of the workspace or of one workflow, and where it stands in its present period. Money is decimal text. */
export interface Budget {
  id: string;
  level: 'graph' | 'workspace';
  graph: { id: string; slug: string; name: string } | null;
  period: BudgetPeriod;
  limit_usd: string | null;
  limit_tokens: number | null;
  raised_usd: string;
  raised_tokens: number;
  used_usd: string;
  used_tokens: number;
  held_usd: string;
  held_tokens: number;
  left_usd: string | null;
  left_tokens: number | null;
  /** Used and held of the limit; may be above 1. */
  taken: number;
  forecast_usd: string | null;
  forecast_tokens: number | null;
  current: string;
  starts_at: string | null;
  ends_at: string | null;
}

export interface BudgetList {
  results: Budget[];
  next: string | null;
  can_edit: boolean;
}

export interface SpendSum {
  calls: number;
  unpriced: number;
  tokens: number;
  usd: string;
}
export interface SpendBy extends SpendSum {
  id: string;
  name: string;
  graph: string | null;
}
export interface SpendReport {
  since: string;
  until: string;
  total: SpendSum;
  before: SpendSum;
  by_day: SpendBy[];
  by_graph: SpendBy[];
  by_node: SpendBy[];
  by_model: SpendBy[];
  by_agent: SpendBy[];
  by_person: SpendBy[];
}

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
