import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import type { RunSummary } from '../../../api/types/types.ts';
import { useEscape } from '../../../ui/keys/useEscape.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';
import classes from './list.module.css';
import { FIRST } from './useColumns.ts';

interface ColumnMenuProps {
  columns: readonly Column<RunSummary>[];
  shown: ReadonlySet<string>;
  toggle: (id: string) => void;
}

/** Which columns the list has; kept in this browser. */
export function ColumnMenu({ columns, shown, toggle }: ColumnMenuProps) {
  const [open, setOpen] = useState(false);
  useEscape(open, () => setOpen(false));
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus withRoles>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.wide}
          leftSection={<IconColumns3 size={16} />}
          onClick={() => setOpen(!open)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap={6}>
          {columns
            .filter(({ id }) => id !== FIRST)
            .map(({ id, label }) => (
              <Checkbox
                key={id}
                label={label}
                checked={shown.has(id)}
                onChange={() => toggle(id)}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
