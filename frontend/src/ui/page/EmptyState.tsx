import { IconAlertTriangle, type Icon } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../api/http/client.ts';
import classes from '../ui.module.css';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** 1 where it is all that its page says. */
  level?: 1 | 2;
}

/** A place with nothing in it yet: what it is for, and the first thing to do. */
export function EmptyState({ icon: Glyph, title, text, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={classes.blank}>
      <span className={classes.blankIcon}>
        <Glyph size={22} stroke={1.7} aria-hidden />
      </span>
      <Heading className={classes.blankTitle}>{title}</Heading>
      {text ? <p className={classes.blankText}>{text}</p> : null}
      {action}
    </div>
  );
}

/** What went wrong in plain words, and a way on: try again, or the given action. */
export function ErrorState({
  error,
  onRetry,
  action,
}: {
  error: unknown;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <div className={classes.blank} role="alert">
      <span className={classes.blankIcon} data-tone="red">
        <IconAlertTriangle size={22} stroke={1.7} aria-hidden />
      </span>
      <h2 className={classes.blankTitle}>{missing ? 'Not here' : 'This could not be loaded'}</h2>
      <p className={classes.blankText}>
        {missing
          ? 'It was deleted, or it belongs to a workspace that you are not in.'
          : messageOf(error)}
      </p>
      {action}
      {onRetry && !missing ? (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
