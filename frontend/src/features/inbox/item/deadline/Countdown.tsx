import { Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { formatDuration, formatExact } from '../../../../ui/format/format.ts';
import classes from '../../inbox.module.css';

const MINUTE = 60_000;
const URGENT = 6 * MINUTE;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  now = Date.now();
  listeners.forEach((call) => call());
}

/** One clock for all countdowns of the page: a row and its item never say different times. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    timer = setInterval(tick, 1000);
    tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** Milliseconds as a countdown: 47 s, 12 min, 3 h 20 min, 2 days. */
function short(ms: number): string {
  if (ms < MINUTE) return `${Math.ceil(ms / 1000)} s`;
  return formatDuration(Math.floor(ms / MINUTE) * MINUTE);
}

const leftText = (left: number): string => (left <= 0 ? 'Time is up' : `${short(left)} left`);

/** The time left until a deadline; urgent in its last six minutes. */
export function Countdown({ until }: { until: string }) {
  const end = Date.parse(until);
  // What is read of the clock is what is shown: it is drawn again only where that changes.
  const text = useSyncExternalStore(subscribe, () => leftText(end - now));
  const isUrgent = useSyncExternalStore(subscribe, () => end - now < URGENT);
  return (
    <Tooltip label={`Until ${formatExact(new Date(end))}`}>
      <span className={classes.countdown} data-urgent={isUrgent || undefined}>
        <IconClock size={13} stroke={2} aria-hidden />
        <span className="gw-num">{text}</span>
      </span>
    </Tooltip>
  );
}
