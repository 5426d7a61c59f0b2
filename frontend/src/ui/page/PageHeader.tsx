import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../ui.module.css';
import { usePageTitle } from './usePageTitle.ts';

/** Title of a page, also in the browser's tab, one line about it, and its actions on the right. */
export function PageHeader({
  title,
  tab = title,
  text,
  children,
}: {
  title: string;
  /** What the browser's tab says, if that is more. */
  tab?: string;
  text?: ReactNode;
  children?: ReactNode;
}) {
  usePageTitle(tab);
  return (
    <header className={classes.header}>
      <div className={classes.headerTitle}>
        <Title order={1}>{title}</Title>
        {text ? <p>{text}</p> : null}
      </div>
      {children ? <div className={classes.headerActions}>{children}</div> : null}
    </header>
  );
}
