import type { ReactNode } from 'react';
import classes from './telling.module.css';

interface PartProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** One of the parts of telling: what it is, its main action, its content. */
export function Part({ title, text, action, children }: PartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <header className={classes.partHead}>
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
