import type { SpendBy } from '../../../api/http/workspace/budgets.ts';

/** Whether money or tokens say more: the built-in model costs nothing. */
export const inTokens = (rows: readonly SpendBy[]) => rows.every((row) => Number(row.usd) === 0);
/** How long the bar of a row is, in dollars or tokens. */
export const sizeOf = (row: SpendBy, tokens: boolean) => (tokens ? String(row.tokens) : row.usd);
/** The longest bar. */
export const mostOf = (rows: readonly SpendBy[], tokens: boolean) =>
  rows.map((row) => sizeOf(row, tokens)).reduce((a, b) => (Number(a) > Number(b) ? a : b), '0');
