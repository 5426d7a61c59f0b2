import { useEffect, useState } from 'react';

/** The time in milliseconds, moving on every `everyMs` while `active`. */
export function useNow(active: boolean, everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return;
    const move = () => setNow(Date.now());
    const first = setTimeout(move); // it stood while nothing was to be seen moving
    const timer = setInterval(move, everyMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [active, everyMs]);
  return now;
}
