/** What approvers changed of what they were shown, in words. */

import type { Json } from '../../api/types/types.ts';
import { blobOf, brief } from './json.ts';
import { visible } from './visible.ts';

export interface EditedValue {
  key: string;
  before?: Json;
  after?: Json;
}

const SHORT = 24;

const plain = (value: Json) => (typeof value === 'string' ? visible(value) : brief(value, 400));

function words({ before, after, key }: EditedValue): string {
  const [from, to] = [plain(before ?? null), plain(after ?? null)];
  if (from.length > SHORT || to.length > SHORT || blobOf(before) !== null || blobOf(after) !== null)
    return key;
  return `${key} ${from} → ${to}`;
}

const isGroup = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && blobOf(value) === null;

/** The values that differ inside groups, each named by where it stands: `body amount`. */
export function leavesOf<T extends EditedValue>(change: T): T[] {
  const { key, before, after } = change;
  if (!isGroup(before) || !isGroup(after)) return [change];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) =>
      leavesOf({
        ...change,
        key: `${key} ${name}`,
        before: before[name] ?? null,
        after: after[name] ?? null,
      }),
    );
}

/** Changes in one line: "amount 77.08 → 12.50, letter". */
export const changesText = (changes: readonly EditedValue[]): string =>
  changes.flatMap(leavesOf).map(words).join(', ');
