import {
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconClock,
  IconClockPause,
  IconClockX,
  IconHandStop,
  IconHourglassEmpty,
  IconLoader2,
  IconMinus,
  IconQuestionMark,
  IconRefresh,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import type { ActivationStatus, InterruptStatus, RunStatus } from '../api/types/types.ts';

/** A status, or `asleep`: a run or a step that the server calls running, and that waits for a moment. */
export type AnyStatus = RunStatus | ActivationStatus | InterruptStatus | 'asleep';
export type StatusColor = 'grey' | 'blue' | 'amber' | 'green' | 'red' | 'violet';

export interface StatusLook {
  label: string;
  color: StatusColor;
  icon: Icon;
  spins?: boolean;
}

const looks: Record<AnyStatus, StatusLook> = {
  queued: { label: 'Queued', color: 'grey', icon: IconClock },
  running: { label: 'Running', color: 'blue', icon: IconLoader2, spins: true },
  asleep: { label: 'Sleeping', color: 'blue', icon: IconClockPause },
  waiting: { label: 'Waiting', color: 'amber', icon: IconHandStop },
  retrying: { label: 'Retrying', color: 'amber', icon: IconRefresh },
  ending: { label: 'Ending', color: 'grey', icon: IconHourglassEmpty },
  completed: { label: 'Completed', color: 'green', icon: IconCheck },
  failed: { label: 'Failed', color: 'red', icon: IconX },
  timeout: { label: 'Timed out', color: 'red', icon: IconClockX },
  skipped: { label: 'Skipped', color: 'grey', icon: IconMinus },
  cancelled: { label: 'Cancelled', color: 'grey', icon: IconBan },
  in_doubt: { label: 'In doubt', color: 'violet', icon: IconQuestionMark },
  open: { label: 'Open', color: 'amber', icon: IconHandStop },
  answered: { label: 'Answered', color: 'green', icon: IconCheck },
  expired: { label: 'Expired', color: 'red', icon: IconClockX },
  superseded: { label: 'Superseded', color: 'grey', icon: IconArrowBackUp },
};

/** What a run is called: one that waits for a moment alone sleeps, though the server says running. */
export const shownStatus = (run: { status: RunStatus; waits_until?: string | null }): AnyStatus =>
  run.waits_until ? 'asleep' : run.status;

/** Word, colour and icon of a status: the same everywhere on the screen. */
export function statusLook(status: AnyStatus): StatusLook {
  return looks[status];
}
