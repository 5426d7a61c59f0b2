import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useState } from 'react';
import type { NameInfo } from '../../../graph/schema/names.ts';
import { useEscape } from '../../../ui/keys/useEscape.ts';
import type { KnownValue } from './known.ts';
import type { Fit, Offer } from './offers.ts';
import { ValueTree } from './ValueTree.tsx';
import classes from './values.module.css';

interface ValuesProps {
  /** The field that the values are put into. */
  label: string;
  names: readonly NameInfo[];
  fit: Fit;
  onPick: (info: KnownValue, offer?: Offer) => void;
}

/** The tree of what can be read here, beside a field. While a row is dragged, it lets the fields be seen. */
export function ValuesMenu({ label, names, fit, onPick }: ValuesProps) {
  const [open, setOpen] = useState(false);
  const [dragged, setDragged] = useState(false);
  useEscape(open, () => setOpen(false));
  const drag = (begins: boolean) => {
    if (begins)
      requestAnimationFrame(() => setDragged(true)); // a source that hides at once is dropped at once
    else {
      setDragged(false);
      setOpen(false);
    }
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={292}
      trapFocus
      shadow="md"
    >
      <Popover.Target>
        <Tooltip label="Put in a value" disabled={open}>
          <ActionIcon
            size="sm"
            className={classes.button}
            data-fit={fit}
            aria-label={`Put a value into ${label}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <IconBraces size={14} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={6} className={classes.tree} data-dragged={dragged}>
        <ValueTree
          names={names}
          fit={fit}
          onDrag={drag}
          onPick={(info, offer) => {
            setOpen(false);
            onPick(info, offer);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
