import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useOpenFor } from '../focus.ts';
import classes from '../inspector.module.css';
import { normalPath, useForm } from './context.ts';

let opened = false;

interface MoreProps {
  /** What it says that it holds: an inspector may have two of them. */
  name: string;
  /** The fields in it, as paths. */
  paths: readonly string[];
  /** How many of them say something. */
  set: number;
  children: ReactNode;
}

/** What is seldom needed, folded; it opens by itself for what is wrong or asked for in it. */
export function More({ name, paths, set, children }: MoreProps) {
  const { problems } = useForm();
  const holds = (path: string) =>
    paths.some((own) => normalPath(path) === own || normalPath(path).includes(own));
  const wrong = problems.some(({ path, severity }) => severity === 'error' && holds(path));
  const [open, setOpen] = useState(opened);
  const id = useId();
  useOpenFor(holds, () => setOpen(true));
  const shown = open || wrong;
  return (
    <div className={classes.more}>
      <UnstyledButton
        className={classes.foldHead}
        aria-expanded={shown}
        aria-controls={id}
        onClick={() => {
          opened = !shown;
          setOpen(opened);
        }}
      >
        <IconChevronRight size={13} aria-hidden />
        {name}
        {set > 0 && !shown ? <span className={classes.quiet}>{set} set</span> : null}
      </UnstyledButton>
      <div id={id} hidden={!shown}>
        {shown ? children : null}
      </div>
    </div>
  );
}
