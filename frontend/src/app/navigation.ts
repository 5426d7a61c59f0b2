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
  /** What stands open there and is counted beside its name. */
  counts?: 'inbox' | 'alerts';
}

/** Pages within the main places, by the names that people look for; `also` are other words for them. */
export const parts: readonly { path: string; label: string; also: string }[] = [
  {
    path: '/runs/causes',
    label: 'Causes of failures',
    also: 'errors why failed issues mute resolve',
  },
  { path: '/runs/bulk', label: 'Bulk jobs', also: 'retry all cancel all' },
  { path: '/runs/compare', label: 'Compare runs', also: 'difference' },
  { path: '/dashboard/approvals', label: 'Approvals dashboard', also: 'reviewers decided' },
  { path: '/dashboard/spend', label: 'Spend dashboard', also: 'cost money usage' },
  { path: '/dashboard/alerts', label: 'Alerts', also: 'dashboard mute warn rules told' },
  { path: '/dashboard/workers', label: 'Workers', also: 'dashboard processes machines load' },
  { path: '/profile', label: 'Your profile', also: 'password sessions account' },
  { path: '/mentions', label: 'Mentions', also: 'comments named answered replies' },
  { path: '/notifications', label: 'Notifications', also: 'mail digest' },
  { path: '/settings/agents', label: 'Agents', also: 'instructions' },
  { path: '/settings/models', label: 'Models and prices', also: 'providers keys' },
  { path: '/settings/tools', label: 'Tools', also: 'mcp openapi functions' },
  { path: '/settings/members', label: 'Members', also: 'people roles invite' },
  { path: '/settings/groups', label: 'Groups', also: 'teams reviewers' },
  { path: '/settings/sign-in', label: 'Sign-in', also: 'sso saml oidc firm second factor' },
  { path: '/settings/tokens', label: 'API tokens', also: 'access' },
  { path: '/reference', label: 'API reference', also: 'rest endpoints openapi programs' },
  { path: '/settings/budgets', label: 'Budgets', also: 'limits money' },
  { path: '/settings/credentials', label: 'Credentials', also: 'secrets keys' },
  { path: '/settings/channels', label: 'Notification channels', also: 'mail slack webhook' },
  { path: '/settings/workspace', label: 'Workspace', also: 'time zone retention limits' },
  { path: '/settings/audit', label: 'Audit log', also: 'who did what' },
];

/** The main places, in the order of the rail. */
export const places: readonly Place[] = [
  { path: '/workflows', label: 'Workflows', icon: IconRoute },
  { path: '/runs', label: 'Runs', icon: IconPlayerPlay },
  { path: '/inbox', label: 'Inbox', icon: IconInbox, counts: 'inbox' },
  { path: '/memory', label: 'Memory', icon: IconBrain },
  { path: '/dashboard', label: 'Dashboard', icon: IconChartBar, counts: 'alerts' },
  { path: '/settings', label: 'Settings', icon: IconSettings },
];
