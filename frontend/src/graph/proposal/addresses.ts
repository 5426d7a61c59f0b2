import { isRecord } from '../document/equal.ts';

const MOST = 5;

/** The hosts of the addresses that a value names, each once. */
export function hostsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (found.size >= MOST) return found;
  if (typeof value === 'string' && /^https?:\/\//i.test(value)) {
    const rest = value.slice(value.indexOf('//') + 2);
    const host = rest.split(/[/?#]/, 1)[0]?.split('@').at(-1) ?? '';
    if (host) found.add(host.slice(0, 100));
  } else if (Array.isArray(value)) for (const each of value) hostsIn(each, found);
  else if (isRecord(value)) for (const each of Object.values(value)) hostsIn(each, found);
  return found;
}
