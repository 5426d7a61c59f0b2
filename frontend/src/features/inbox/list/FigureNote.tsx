import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { counting, membersQuery } from '../../../api/http/lists.ts';
import classes from '../inbox.module.css';
import type { HeadProps } from './InboxHead.tsx';

const OUTCOMES: Record<string, string> = {
  decided: 'decided',
  approved: 'approved',
  edited: 'approved with edits',
  rejected: 'rejected',
  expired: 'expired',
};
const REVIEWS: Record<string, string> = {
  decided: 'decided',
  approved: 'approved',
  seen: 'approved, with a known time on screen',
  quick: 'approved within 3 seconds',
  unopened: 'approved without reading all of it',
  edited: 'approved with edits',
  back: 'taken back once before',
  overturned: 'overturned afterwards',
};
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const at = (text: string) => moment.format(new Date(text));

/** Whom an item asks, as a figure counts them: `role:reviewer`, `group:x`, `user:y` or `anyone`. */
function askedWords(named: string, nameOf: NameOf): string {
  const [kind = '', name = ''] = named.split(/:(.*)/s);
  if (kind === 'role') return `that ask every ${name}`;
  if (kind === 'group') return `that ask the group ${name}`;
  if (kind === 'user') return `that ask ${nameOf(name)}`;
  return 'that name nobody';
}

/** What a person is called, by the id. */
type NameOf = (id: string) => string;

/** What a figure of the dashboard counts, in words; empty where none led here. */
export function figureWords(filter: HeadProps['filter'], nameOf: NameOf): string {
  const parts = [
    filter.outcome ? (OUTCOMES[filter.outcome] ?? '') : '',
    filter.late ? 'overdue' : '',
    filter.review ? (REVIEWS[filter.review] ?? '') : '',
    filter.reviewer ? `by ${nameOf(filter.reviewer)}` : '',
    filter.named ? askedWords(filter.named, nameOf) : '',
    filter.opened_until ? `opened before ${at(filter.opened_until)}` : '',
    filter.closed_since ? `from ${at(filter.closed_since)}` : '',
    filter.closed_until ? `to ${at(filter.closed_until)}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Says that only what a figure counts is listed, and takes that away. */
export function FigureNote({ filter, change }: HeadProps) {
  const namesPerson = Boolean(filter.reviewer) || Boolean(filter.named?.startsWith('user:'));
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: namesPerson });
  const words = figureWords(
    filter,
    (id) => members.find(({ user }) => user.id === id)?.user.name ?? 'one person',
  );
  if (!words) return null;
  return (
    <p className={classes.figure}>
      <span>Only {words}</span>
      <CloseButton
        size="sm"
        aria-label="List all of them"
        onClick={() => change(Object.fromEntries(counting.map((name) => [name, null])))}
      />
    </p>
  );
}
