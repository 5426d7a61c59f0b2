import { TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import canvas from '../canvas.module.css';
import { TypeChip } from './Palette.tsx';
import classes from './palette.module.css';
import { firstSentence, recentTypes, searchTypes, titled } from './PaletteList.ts';

interface QuickPaletteProps {
  types: readonly NodeTypeInfo[];
  /** Place inside the canvas, in pixels. */
  at: { x: number; y: number };
  /** `title` is what the new node is called; without it as its type is. */
  onPick: (type: NodeTypeInfo, title?: string) => void;
  onClose: () => void;
}

/** The palette at the pointer: type a few letters, Enter; after a colon comes the title. Recently used types come first. */
export function QuickPalette({ types, at, onPick, onClose }: QuickPaletteProps) {
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const listId = useId();
  const recent = recentTypes();
  const rank = (type: NodeTypeInfo) =>
    recent.includes(type.type) ? recent.indexOf(type.type) : recent.length;
  const { kind, title } = titled(search);
  const pick = (type: NodeTypeInfo) => onPick(type, title);
  const rows = kind ? searchTypes(types, kind) : types.toSorted((a, b) => rank(a) - rank(b));
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
      style={{ left: at.x, top: at.y }}
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
        aria-label="Add a node"
        value={search}
        leftSection={<IconSearch size={15} />}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={rows[active] ? `${listId}-${rows[active].type}` : undefined}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
        }}
      />
      <div className={classes.results} role="listbox" id={listId} aria-label="Node types">
        {rows.map((type, index) => (
          <UnstyledButton
            key={type.type}
            id={`${listId}-${type.type}`}
            className={classes.result}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onPointerMove={() => setActive(index)}
            onClick={() => pick(type)}
          >
            <TypeChip type={type} />
            <span style={{ minWidth: 0 }}>
              <div>{title ? `${type.label} “${title}”` : type.label}</div>
              <div className={classes.resultHelp}>{firstSentence(type.help)}</div>
            </span>
          </UnstyledButton>
        ))}
        {rows.length === 0 ? <p className={classes.none}>No node type by that name</p> : null}
      </div>
    </div>
  );
}
