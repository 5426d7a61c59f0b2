import { TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { ADDING, takeTyped } from '../../ui/keys/earlyKeys.ts';
import canvas from '../canvas.module.css';
import type { Fresh } from '../placing.ts';
import type { QuickState } from '../useCanvasGestures.ts';
import { Hint } from './Hint.tsx';
import { TypeChip } from './Palette.tsx';
import classes from './palette.module.css';
import { firstSentence, recentTypes, searchTypes, titled } from './PaletteList.ts';
import { PendingWire } from './PendingWire.tsx';
import { useFitting } from './fits.ts';
import { says, useListRows } from './listRows.ts';

export interface QuickPaletteProps {
  types: readonly NodeTypeInfo[];
  quick: QuickState;
  onPick: (type: NodeTypeInfo, fresh: Fresh) => void;
  onClose: () => void;
}

/** One thing that can be added. */
interface Row {
  key: string;
  type: NodeTypeInfo;
  name: string;
  help: string;
  fresh: Fresh;
}

/**
 * The palette at the pointer: type a few letters, Enter; after a colon comes the title. What is done with each
 * item of a list that comes here stands first, then what is mostly put there, then recently used types. What has
 * nothing to do at the wire is not shown; who looks for it finds it.
 */
export function QuickPalette({ types, quick, onPick, onClose }: QuickPaletteProps) {
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const [entered, setEntered] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const listId = useId();
  const recent = recentTypes();
  const rank = (type: NodeTypeInfo) =>
    recent.includes(type.type) ? recent.indexOf(type.type) : recent.length;
  const { kind, title } = titled(search);
  const lists = useListRows(types, quick);
  const fits = useFitting(types, quick);
  const found = kind ? searchTypes(types, kind) : fits(types.toSorted((a, b) => rank(a) - rank(b)));
  const rows: Row[] = [
    ...lists.filter((row) => says(row.name, kind)),
    ...found.map((type) => ({
      key: type.type,
      type,
      name: title ? `${type.label} “${title}”` : type.label,
      help: firstSentence(type.help),
      fresh: { title },
    })),
  ];
  const pick = ({ type, fresh }: Row) => onPick(type, { ...fresh, title: title ?? fresh.title });
  useEffect(() => {
    const [first] = rows;
    if (entered && first) pick(first);
  }, [entered]); // eslint-disable-line react-hooks/exhaustive-deps -- Enter was pressed once
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener('pointerdown', outside, true);
    return () => window.removeEventListener('pointerdown', outside, true);
  }, [onClose]);
  useEffect(() => {
    root.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const around = (index: number, by: number) =>
    (index + by + rows.length) % Math.max(rows.length, 1);
  const keys = (event: KeyboardEvent) => {
    const row = rows[active];
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && row) pick(row);
    else if (event.key === 'Tab') setActive((index) => around(index, event.shiftKey ? -1 : 1));
    else if (event.key === 'ArrowDown') setActive((index) => Math.min(index + 1, rows.length - 1));
    else if (event.key === 'ArrowUp') setActive((index) => Math.max(index - 1, 0));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={root}
      className={`${canvas.panel} ${classes.quick}`}
      style={{ left: quick.at.x, top: quick.at.y }}
      onKeyDown={keys}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !root.current?.contains(relatedTarget)) onClose();
      }}
      role="dialog"
      aria-label="Add a node"
    >
      <TextInput
        size="sm"
        autoFocus
        placeholder="Add a node: its title"
        aria-label={ADDING}
        value={search}
        leftSection={<IconSearch size={15} />}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={rows[active] ? `${listId}-${rows[active].key}` : undefined}
        onFocus={() => {
          const early = takeTyped();
          if (early.text) setSearch(early.text);
          if (early.entered) setEntered(true);
        }}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
        }}
      />
      <Hint search={kind} none={rows.length === 0} />
      <div className={classes.results} role="listbox" id={listId} aria-label="Node types">
        {rows.map((row, index) => (
          <UnstyledButton
            key={row.key}
            id={`${listId}-${row.key}`}
            className={classes.result}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onPointerMove={() => setActive(index)}
            onClick={() => pick(row)}
          >
            <TypeChip type={row.type} />
            <span style={{ minWidth: 0 }}>
              <div>{row.name}</div>
              <div className={classes.resultHelp}>{row.help}</div>
            </span>
          </UnstyledButton>
        ))}
      </div>
      {quick.wire ? <PendingWire wire={quick.wire} place={quick.place} /> : null}
    </div>
  );
}
