import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';

const USUAL = ['title', 'status', 'note', 'by', 'at', 'duration', 'usd'];
/** The column that says which run it is. */
export const FIRST = 'title';

/** Which columns this browser shows of runs, and how one is shown or left out. */
export function useColumns(): [ReadonlySet<string>, (id: string) => void] {
  const [kept, keep] = useLocalStorage<string[]>({
    key: 'gw-run-columns',
    defaultValue: USUAL,
    getInitialValueInEffect: false,
  });
  const shown = useMemo(() => new Set([FIRST, ...(Array.isArray(kept) ? kept : USUAL)]), [kept]);
  const toggle = (id: string) =>
    keep(shown.has(id) ? [...shown].filter((each) => each !== id) : [...shown, id]);
  return [shown, toggle];
}
