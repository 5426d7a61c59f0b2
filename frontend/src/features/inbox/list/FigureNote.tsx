import { CloseButton } from '@mantine/core';
import { counting } from '../../../api/http/lists.ts';
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

/** What a figure of the dashboard counts, in words; empty where none led here. */
export function figureWords(filter: HeadProps['filter']): string {
  const parts = [
    filter.outcome ? (OUTCOMES[filter.outcome] ?? '') : '',
    filter.late ? 'overdue' : '',
    filter.review ? (REVIEWS[filter.review] ?? '') : '',
    filter.reviewer ? 'by one person' : '',
    filter.named ? 'of one line of the dashboard' : '',
    filter.opened_until ? `opened before ${at(filter.opened_until)}` : '',
    filter.closed_since ? `from ${at(filter.closed_since)}` : '',
    filter.closed_until ? `to ${at(filter.closed_until)}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Says that only what a figure counts is listed, and takes that away. */
export function FigureNote({ filter, change }: HeadProps) {
  const words = figureWords(filter);
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
