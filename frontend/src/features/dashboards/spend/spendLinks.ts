import type { SpendBy } from '../../../api/http/workspace/budgets.ts';

/** What stands for a call without a model, an agent or a person. */
const NONE = '-';

/** Days that a sum is of, both included, and the workflow that the whole board is narrowed to. */
export interface SumOf {
  since: string;
  until: string;
  graph?: string | undefined;
}

/** The board of spending for some days, of the workflow of that slug. */
export function spendAddress({ since, until, graph }: SumOf): string {
  const query = new URLSearchParams({ since, until, ...(graph ? { graph } : {}) });
  return `/dashboard/spend?${query.toString()}`;
}

/** Where the runs are listed that called a model without a price. */
export const runsUnpriced = (shown: SumOf): string =>
  `${runsBehind('', null, shown)}&unpriced=true`;

/** Where the runs are listed whose calls a sum counts; `row` is null for all of them. */
export function runsBehind(
  by: string,
  row: SpendBy | null,
  { since, until, graph }: SumOf,
): string {
  const query = new URLSearchParams({ spent_since: since, spent_until: until });
  const slug = by === 'by_graph' ? row?.id : by === 'by_node' ? row?.graph_slug : graph;
  if (slug) query.set('slug', slug);
  const named: Record<string, string> = {
    by_node: 'spent_at',
    by_model: 'spent_on',
    by_agent: 'spent_by',
    by_person: 'person',
    by_trigger: 'trigger',
  };
  const name = named[by];
  if (row && name) query.set(name, row.id || NONE);
  if (row && by === 'by_day') {
    query.set('spent_since', row.id);
    query.set('spent_until', row.id);
  }
  return `/runs?${query.toString()}`;
}
