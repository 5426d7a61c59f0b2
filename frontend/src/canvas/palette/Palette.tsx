import { ActionIcon, ScrollArea, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react';
import { memo, type RefObject, useState } from 'react';
import type { NodeTypeInfo } from '../../api/types/types.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { NamedIcon } from '../../ui/icons/NamedIcon.tsx';
import canvas from '../canvas.module.css';
import { tintColor, useScene } from '../cards/context.ts';
import { Hint } from './Hint.tsx';
import classes from './palette.module.css';
import { byCategory, firstSentence, searchTypes } from './PaletteList.ts';

/** The clipboard type under which a dragged node type travels. */
export const DRAG_TYPE = 'application/x-graphwright-node';

export function TypeChip({ type, size = 16 }: { type: NodeTypeInfo; size?: number }) {
  const { tints } = useScene();
  return (
    <span
      className={classes.chip}
      style={{ '--tint': tintColor(tints.get(type.category)) } as React.CSSProperties}
    >
      <NamedIcon name={type.icon} size={size} />
    </span>
  );
}

function PaletteItem({
  type,
  onAdd,
  compact,
}: {
  type: NodeTypeInfo;
  onAdd: (type: NodeTypeInfo) => void;
  compact: boolean;
}) {
  return (
    <Tooltip
      label={compact ? `${type.label}: ${firstSentence(type.help)}` : firstSentence(type.help)}
      position="right"
      multiline
      maw={260}
      openDelay={500}
    >
      <UnstyledButton
        className={compact ? classes.iconItem : classes.item}
        draggable
        aria-label={`Add ${type.label}`}
        onClick={() => onAdd(type)}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAG_TYPE, type.type);
          event.dataTransfer.effectAllowed = 'copy';
        }}
      >
        <TypeChip type={type} />
        {compact ? null : <span className="gw-truncate">{type.label}</span>}
      </UnstyledButton>
    </Tooltip>
  );
}

interface PaletteProps {
  types: readonly NodeTypeInfo[];
  open: boolean;
  onToggle: () => void;
  onAdd: (type: NodeTypeInfo) => void;
  searchRef?: RefObject<HTMLInputElement | null>;
}

/** The floating list of node types: search, click to add, or drag onto the canvas. Closed, it is a strip of icons. */
export const Palette = memo(function Palette({
  types,
  open,
  onToggle,
  onAdd,
  searchRef,
}: PaletteProps) {
  const [search, setSearch] = useState('');
  const groups = byCategory(searchTypes(types, open ? search : ''));
  return (
    <aside
      className={`${canvas.panel} ${classes.palette}`}
      data-open={open}
      data-region="palette"
      aria-label="Palette"
    >
      <div className={classes.top}>
        {open ? (
          <TextInput
            ref={searchRef}
            size="xs"
            flex={1}
            placeholder="Search nodes"
            aria-label="Search nodes"
            value={search}
            leftSection={<IconSearch size={14} />}
            rightSectionWidth={40}
            rightSection={search ? null : <Kbd keys="Tab" />}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        <Tooltip label={open ? 'Collapse' : 'Expand the palette'} position="right">
          <ActionIcon
            aria-label={open ? 'Collapse the palette' : 'Expand the palette'}
            aria-expanded={open}
            onClick={onToggle}
          >
            {open ? (
              <IconLayoutSidebarLeftCollapse size={17} stroke={1.7} />
            ) : (
              <IconLayoutSidebarLeftExpand size={17} stroke={1.7} />
            )}
          </ActionIcon>
        </Tooltip>
      </div>
      {open ? <Hint search={search} none={groups.length === 0} /> : null}
      <ScrollArea.Autosize className={classes.scroll} type="hover" scrollbars="y" scrollbarSize={6}>
        {groups.map(([category, members]) => (
          <section key={category} className={classes.group}>
            {open ? <h2 className={classes.category}>{category}</h2> : null}
            {members.map((type) => (
              <PaletteItem key={type.type} type={type} onAdd={onAdd} compact={!open} />
            ))}
          </section>
        ))}
      </ScrollArea.Autosize>
    </aside>
  );
});
