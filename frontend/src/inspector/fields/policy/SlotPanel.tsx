import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './policy.module.css';

interface PanelProps {
  id: string;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

const FIRST = 'input:checked, input:not([type="radio"]):not(:disabled), input:not(:disabled)';

/** The editor of one part of the sentence: it takes the cursor, Escape closes it. */
export function SlotPanel({ id, title, onClose, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>(FIRST)?.focus(), []);
  return (
    <div
      ref={panel}
      id={id}
      role="group"
      aria-label={title}
      className={classes.slot}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={classes.slotHead}>
        {title}
        <CloseButton
          size="sm"
          aria-label={`Close: ${title}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClose}
        />
      </div>
      {children}
    </div>
  );
}
