import {
  IconBrain,
  IconChartBar,
  IconInbox,
  IconPlayerPlay,
  IconRoute,
  IconSettings,
  type Icon,
} from '@tabler/icons-react';

export interface Place {
  path: string;
  label: string;
  icon: Icon;
  counts?: boolean;
}

/** The main places, in the order of the rail. `counts` shows how many interrupts are open. */
export const places: readonly Place[] = [
  { path: '/workflows', label: 'Workflows', icon: IconRoute },
  { path: '/runs', label: 'Runs', icon: IconPlayerPlay },
  { path: '/inbox', label: 'Inbox', icon: IconInbox, counts: true },
  { path: '/memory', label: 'Memory', icon: IconBrain },
  { path: '/dashboard', label: 'Dashboard', icon: IconChartBar },
  { path: '/settings', label: 'Settings', icon: IconSettings },
];
