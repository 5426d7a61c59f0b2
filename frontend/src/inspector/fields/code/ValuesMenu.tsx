import { ActionIcon, Popover, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { NameInfo } from '../../../graph/schema/names.ts';
import classes from '../../inspector.module.css';

interface ValuesProps {
  /** The field that the values are put into. */
  label: string;
  names: readonly NameInfo[];
  onPick: (info: NameInfo) => void;
}

/** Values by where they come from, in the order of the names. */
function grouped(names: readonly NameInfo[]): [string, NameInfo[]][] {
  const groups = new Map<string, NameInfo[]>();
  for (const info of names) {
    const from = info.from ?? 'Values';
    groups.set(from, [...(groups.get(from) ?? []), info]);
  }
  return [...groups];
}

/** Up and Down walk the rows, the search included. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  event.preventDefault();
  stops[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))]?.focus();
}

/** The tree of what can be read here, beside a field; a click puts a value in and allows what it needs. */
export function ValuesMenu({ label, names, onPick }: ValuesProps) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const word = search.trim().toLowerCase();
  const found = names.filter((info) => `${info.name} ${info.detail}`.toLowerCase().includes(word));
  const [first] = found;
  const pick = (info: NameInfo) => {
    setOpen(false);
    setSearch('');
    onPick(info);
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
        <Tooltip label="Put in a value">
          <ActionIcon
            size="sm"
            className={classes.valuesButton}
            aria-label={`Put a value into ${label}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <IconBraces size={14} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={6} onKeyDown={walk}>
        <TextInput
          size="xs"
          data-autofocus
          aria-label="Search values"
          placeholder="Search values"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && first && pick(first)}
        />
        <div className={classes.values}>
          {grouped(found).map(([from, infos]) => (
            <section key={from} aria-label={from}>
              <h4 className={classes.valuesFrom}>{from}</h4>
              {infos.map((info) => (
                <UnstyledButton
                  key={info.name}
                  className={classes.value}
                  aria-label={`Put in ${info.name}`}
                  onClick={() => pick(info)}
                >
                  <span className="gw-mono gw-truncate">{info.name}</span>
                  <span className={`${classes.hint} gw-truncate`}>{info.detail}</span>
                </UnstyledButton>
              ))}
            </section>
          ))}
          {found.length === 0 ? <p className={classes.quiet}>No value by that name</p> : null}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
