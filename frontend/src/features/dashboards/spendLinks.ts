import type { SpendBy } from '../../api/http/workspace/budgets.ts';

/** When a day (`2026-11-22`) begins on the workspace's clock. */
export function startOfDay(day: string, timezone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const shown = new Date(utc).toLocaleString('sv-SE', { timeZone: timezone });
  const ahead = Date.parse(`${shown.replace(' ', 'T')}Z`) - utc;
  return new Date(utc - ahead).toISOString();
}

/** Where the runs behind a sum are listed: started in these days, and not free; null where no list knows them. */
export function runsBehind(
  by: string,
  row: SpendBy,
  since: string,
  idOf: (slug: string) => string | undefined,
): string | null {
  const query = new URLSearchParams({ spent: 'true', since });
  if (by === 'by_person' && row.id) query.set('person', row.id);
  else if (by === 'by_graph' && idOf(row.id)) query.set('graph', idOf(row.id) ?? '');
  else return null;
  return `/runs?${query.toString()}`;
}
