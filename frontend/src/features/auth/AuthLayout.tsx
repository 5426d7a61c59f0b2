import { Title } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../ui/page/usePageTitle.ts';
import classes from './authLayout.module.css';

/** The frame of the pages before the product: sign-in and set-up. */
export function AuthLayout({
  title,
  text,
  wide = false,
  children,
}: {
  title: string;
  text?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <main className={classes.door}>
      <div className={classes.box} data-wide={wide || undefined}>
        <p className={classes.brand}>
          <span>
            <IconRoute size={18} stroke={2} aria-hidden />
          </span>
          Graphwright
        </p>
        <Title order={1}>{title}</Title>
        {text ? <p className={classes.text}>{text}</p> : null}
        <div className={classes.body}>{children}</div>
      </div>
    </main>
  );
}
