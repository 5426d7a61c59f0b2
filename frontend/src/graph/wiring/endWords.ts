import { type DraftEdge, END, type Records } from '../document/document.ts';

const MOST = 3;

/** What the node is called that a wire leads to. */
export const endOf = (records: Records, { target }: DraftEdge): string =>
  target === END ? 'End' : records.nodes.get(target)?.label || target;

/** Some names in a sentence. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST);
  if (names.length > MOST) return `${shown.join(', ')} and ${names.length - MOST} more`;
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' and ');
}
