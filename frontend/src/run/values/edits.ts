/** What approvers changed of what they were shown, in words. */

import type { Json } from '../../api/types/types.ts';
import { blobOf, brief } from './json.ts';

export interface EditedValue {
  key: string;
  before?: Json;
  after?: Json;
}

const SHORT = 24;

const plain = (value: Json) => (typeof value === 'string' ? value : brief(value, 400));

function words({ before, after, key }: EditedValue): string {
  const [from, to] = [plain(before ?? null), plain(after ?? null)];
  if (from.length > SHORT || to.length > SHORT || blobOf(before) !== null || blobOf(after) !== null)
    return key;
  return `${key} ${from} → ${to}`;
}

/** Changes in one line: "amount 77.08 → 12.50, letter". */
export const changesText = (changes: readonly EditedValue[]): string =>
  changes.map(words).join(', ');
