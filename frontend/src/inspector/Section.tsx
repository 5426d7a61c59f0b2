import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useOpenFor } from './focus.ts';
import classes from './inspector.module.css';

const opened = new Map<string, boolean>();

interface SectionProps {
  name: string;
  note?: string;
  problem?: 'error' | 'warning' | null;
  startOpen?: boolean;
  /** Whether a field is in here: then the group opens when that field is requested. */
  holds?: (path: string) => boolean;
  children: ReactNode;
}

/** A group of the inspector that folds. Whether it is open is remembered for all nodes of this visit. */
export function Section({
  name,
  note,
  problem = null,
  startOpen = false,
  holds,
  children,
}: SectionProps) {
  const [open, setOpen] = useState(opened.get(name) ?? startOpen);
  const id = useId();
  useOpenFor(holds, () => setOpen(true));
  const toggle = () => {
    opened.set(name, !open);
    setOpen(!open);
  };
  return (
    <section className={classes.section}>
      <UnstyledButton
        className={classes.sectionHead}
        aria-expanded={open}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronRight size={14} aria-hidden />
        {name}
        {problem ? (
          <span
            className={classes.sectionDot}
            data-severity={problem}
            role="img"
            aria-label={problem === 'error' ? 'has errors' : 'has warnings'}
          />
        ) : null}
        {note && !open ? (
          <span className={`${classes.sectionNote} gw-truncate`}>{note}</span>
        ) : null}
      </UnstyledButton>
      {open ? (
        <div id={id} className={classes.sectionBody}>
          {children}
        </div>
      ) : null}
    </section>
  );
}
