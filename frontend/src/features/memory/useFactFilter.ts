import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { FactFilter } from '../../api/http/workspace/facts.ts';

const names = ['search', 'tag', 'entity', 'graph', 'run'] as const;

export type Change = (part: { [Name in keyof FactFilter]?: string | null }) => void;

/** What the address says to show; changing a part changes the address, and `query` carries it to links. */
export function useFactFilter(): {
  filter: FactFilter;
  change: Change;
  query: string;
  filtered: boolean;
} {
  const [params, setParams] = useSearchParams();
  const query = params.toString();
  const filter = useMemo(() => {
    const read = new URLSearchParams(query);
    const found: FactFilter = {};
    for (const name of names) {
      const value = read.get(name);
      if (value) found[name] = value;
    }
    return found;
  }, [query]);
  const change: Change = (part) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(part)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return {
    filter,
    change,
    query: query ? `?${query}` : '',
    filtered: Object.keys(filter).length > 0,
  };
}
