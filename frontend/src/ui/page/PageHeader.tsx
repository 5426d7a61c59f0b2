import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../ui.module.css';

/** Title of a page, one line about it, and its actions on the right. */
export function PageHeader({
  title,
  text,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
}) {
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
