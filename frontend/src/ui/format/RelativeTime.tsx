import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatExact, formatRelative } from './format.ts';

let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function tick() {
  now = new Date();
  listeners.forEach((call) => call());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 10_000);
  if (listeners.size === 1) tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** How long ago (or until) in words, kept fresh by one timer for the page; the exact time on hover. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const current = useSyncExternalStore(subscribe, () => now);
  if (!at) return <span>–</span>;
  const time = new Date(at);
  return (
    <Tooltip label={formatExact(time)}>
      <time dateTime={at} className="gw-num">
        {formatRelative(time, current)}
      </time>
    </Tooltip>
  );
}
