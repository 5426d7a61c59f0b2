import { Button } from '@mantine/core';
import { IconFolderSymlink } from '@tabler/icons-react';
import classes from './folders.module.css';
import { workflowsWord } from './paths.ts';

interface PickedBarProps {
  count: number;
  onMove: () => void;
  onClear: () => void;
}

/** What can be done with the workflows that are picked. */
export function PickedBar({ count, onMove, onClear }: PickedBarProps) {
  if (count === 0) return null;
  return (
    <div className={classes.picked} role="group" aria-label="Picked workflows">
      <span>{workflowsWord(count)} picked</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFolderSymlink size={15} />}
        onClick={onMove}
      >
        Move to a folder
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
