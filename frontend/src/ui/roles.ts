import type { Role } from '../api/types/types.ts';

/** What each role may do, in words. */
export const roles: { value: Role; label: string; can: string }[] = [
  { value: 'viewer', label: 'Viewer', can: 'looks at everything, changes nothing' },
  { value: 'author', label: 'Author', can: 'edits and runs workflows' },
  { value: 'reviewer', label: 'Reviewer', can: 'decides in the inbox' },
  { value: 'operator', label: 'Operator', can: 'runs, cancels and decides' },
  { value: 'admin', label: 'Admin', can: 'everything' },
];

export const roleLabel = (role: string): string =>
  roles.find((each) => each.value === role)?.label ?? role;

/** Whether a role may start runs, and so try again, cancel or stop many at once. */
export const mayRun = (role: string | undefined): boolean =>
  role === 'author' || role === 'operator' || role === 'admin';

/** The page on which a role's day begins. */
export function homeOf(role: string | undefined): string {
  if (role === 'reviewer') return '/inbox';
  return role === 'operator' ? '/dashboard' : '/workflows';
}
