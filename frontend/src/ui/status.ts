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
  IconUserX,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import type { ActivationStatus, InterruptStatus, RunStatus } from '../api/types/types.ts';

/**
 * A status, or `asleep`: a run or a step that the server calls running, and that waits for a moment;
 * or `rejected`: a run that the server calls failed, as a person said no.
 */
export type AnyStatus = RunStatus | ActivationStatus | InterruptStatus | 'asleep' | 'rejected';
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
  rejected: { label: 'Rejected', color: 'grey', icon: IconUserX },
  skipped: { label: 'Skipped', color: 'grey', icon: IconMinus },
  cancelled: { label: 'Cancelled', color: 'grey', icon: IconBan },
  in_doubt: { label: 'In doubt', color: 'violet', icon: IconQuestionMark },
  open: { label: 'Open', color: 'amber', icon: IconHandStop },
  answered: { label: 'Answered', color: 'green', icon: IconCheck },
  expired: { label: 'Expired', color: 'red', icon: IconClockX },
  superseded: { label: 'Superseded', color: 'grey', icon: IconArrowBackUp },
};

interface Standing {
  status: RunStatus;
  waits_until?: string | null;
  rejected?: boolean | undefined;
}

/** What a run is called: one that waits for a moment alone sleeps, one that a person refused is rejected. */
export const shownStatus = ({ status, waits_until, rejected }: Standing): AnyStatus =>
  waits_until ? 'asleep' : rejected && status === 'failed' ? 'rejected' : status;

/** Word, colour and icon of a status: the same everywhere on the screen. */
export function statusLook(status: AnyStatus): StatusLook {
  return looks[status];
}
