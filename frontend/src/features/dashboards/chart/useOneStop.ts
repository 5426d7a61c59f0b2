import { type KeyboardEvent, useState } from 'react';

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** When the value of a bar is shown: under the pointer, and where the keyboard is. */
export const SHOWN_ON = { hover: true, focus: true, touch: false };

/** What a link in a row of them takes so that Tab stops once, at the last or where one was. */
interface Stop {
  tabIndex: number;
  onFocus: () => void;
}

/** Many links in a row as one stop of Tab: the arrow keys go from one to the next, Home and End far. */
export function useOneStop(count: number): {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  stop: (index: number) => Stop;
} {
  const [was, setAt] = useState<number | null>(null);
  const at = Math.min(was ?? count - 1, count - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll('a')];
    const from = links.indexOf(event.target as HTMLAnchorElement);
    const next = from < 0 ? undefined : links[STEPS[event.key]?.(from, links.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return {
    onKeyDown,
    stop: (index) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) }),
  };
}
