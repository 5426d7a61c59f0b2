import { Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatDuration, formatExact } from '../../../ui/format/format.ts';
import classes from '../inbox.module.css';

const MINUTE = 60_000;

/** Milliseconds as a countdown: 47 s, 12 min, 3 h 20 min, 2 days. */
function short(ms: number): string {
  if (ms < MINUTE) return `${Math.ceil(ms / 1000)} s`;
  return formatDuration(Math.floor(ms / MINUTE) * MINUTE);
}

/** The time left until a deadline; urgent in its last six minutes. */
export function Countdown({ until }: { until: string }) {
  const end = Date.parse(until);
  const [now, setNow] = useState(() => Date.now());
  const left = end - now;
  const fast = left < 2 * MINUTE;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), fast ? 1000 : 15_000);
    return () => clearInterval(timer);
  }, [fast]);
  return (
    <Tooltip label={`Until ${formatExact(new Date(end))}`}>
      <span className={classes.countdown} data-urgent={left < 6 * MINUTE || undefined}>
        <IconClock size={13} stroke={2} aria-hidden />
        <span className="gw-num">{left <= 0 ? 'Time is up' : `${short(left)} left`}</span>
      </span>
    </Tooltip>
  );
}
