import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconMessage, IconX } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { runAction } from '../../../actions/registry.ts';
import type { Problem } from '../../../api/types/types.ts';
import { hasBelow, type OutlineRow, outlineOf } from '../../../graph/outline/outline.ts';
import { numbersOf, type RowWords, wordsOfRow } from '../../../graph/outline/words.ts';
import { useEditor } from '../../../store/editor.ts';
import canvas from '../../../canvas/canvas.module.css';
import classes from './outline.module.css';
import { threadsWord, useCommenting } from '../../comments/commenting.ts';
import type { StaleSign } from '../testrun/stale/words.ts';
import { OutlineTriggers } from '../../triggers/canvas/OutlineTriggers.tsx';
import { useTree } from './useTree.ts';

interface RowProps {
  row: OutlineRow;
  words: RowWords;
  problems: number;
  /** What it says of a change since the last run. */
  stale: StaleSign | undefined;
  /** Its open threads. */
  threads: number;
  selected: boolean;
  stood: boolean;
  /** Whether what is below is shown; undefined where there is nothing. */
  open: boolean | undefined;
  onFold: () => void;
  onPick: (more: boolean) => void;
}

/** Problems that want to be mended; advice is none. */
const grave = (found: readonly Problem[] = []) =>
  found.filter(({ severity }) => severity !== 'hint').length;
const counted = (count: number) => (count === 1 ? '1 problem' : `${count} problems`);

function Row({
  row,
  words,
  problems,
  stale,
  threads,
  selected,
  stood,
  open,
  onFold,
  onPick,
}: RowProps) {
  const Arrow = open ? IconChevronDown : IconChevronRight;
  return (
    <li
      role="treeitem"
      aria-level={row.level}
      aria-selected={selected}
      aria-expanded={open}
      tabIndex={stood ? 0 : -1}
      className={classes.row}
      data-kind={row.kind}
      style={{ '--level': row.level - 1 } as React.CSSProperties}
      onClick={(event) => onPick(event.shiftKey || event.ctrlKey || event.metaKey)}
    >
      <span
        className={classes.fold}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          onFold();
        }}
      >
        {open === undefined ? null : <Arrow size={14} />}
      </span>
      <span className={classes.words}>
        <span className={classes.title}>
          {words.number ? `${words.number} ` : ''}
          <bdi>{words.title}</bdi>
        </span>
        {words.kind ? <span className={classes.rest}>, {words.kind}</span> : null}
        {words.rest.map((piece, index) => (
          <span key={index} className={classes.rest}>
            ; <bdi>{piece}</bdi>
          </span>
        ))}
      </span>
      {stale ? (
        <span className={classes.stale} title={stale.words}>
          <span aria-hidden>{stale.changed ? '●' : '○'}</span>
          <VisuallyHidden>, {stale.words.toLowerCase()}</VisuallyHidden>
        </span>
      ) : null}
      {threads > 0 ? (
        <span className={classes.threads} title={threadsWord(threads)}>
          <IconMessage size={13} aria-hidden />
          <span aria-hidden>{threads}</span>
          <VisuallyHidden>, {threadsWord(threads)}</VisuallyHidden>
        </span>
      ) : null}
      {problems > 0 ? (
        <span className={classes.problems} title={counted(problems)}>
          {problems}
          <VisuallyHidden>{problems === 1 ? ' problem' : ' problems'}</VisuallyHidden>
        </span>
      ) : null}
    </li>
  );
}

/** What to do first where nothing is drawn. */
function NothingYet() {
  const canEdit = useEditor((state) => state.can.edit);
  if (!canEdit) return <p className={classes.none}>Nothing is drawn yet.</p>;
  return (
    <div className={classes.none}>
      <p>Nothing is drawn yet. Add the first node with + below, or say what it should do.</p>
      <Button size="xs" variant="default" onClick={() => runAction('editor.describe')}>
        Describe it
      </Button>
    </div>
  );
}

interface OutlineProps {
  problems: ReadonlyMap<string, Problem[]>;
  stale: ReadonlyMap<string, StaleSign>;
  /** Whether it was asked for: then the focus goes into it. */
  focused: boolean;
  onClose: () => void;
  /** Buttons of what can be done with what is selected. */
  children: ReactNode;
}

/** The same graph as a list in the order of a run: with keys and ears, and on a phone, all of it can be drawn here. */
export function Outline({ problems, stale, focused, onClose, children }: OutlineProps) {
  const records = useDeferredValue(useEditor((state) => state.records));
  const types = useEditor((state) => state.types);
  const all = useMemo(() => outlineOf(records, types), [records, types]);
  const numbers = useMemo(() => numbersOf(all), [all]);
  const threads = useCommenting((state) => state.counts);
  const { rows, at, selection, folded, fold, go, tree, ...keys } = useTree(all, focused);
  return (
    <section
      className={`${canvas.panel} ${classes.outline}`}
      aria-label="Outline"
      data-region="outline"
    >
      <header className={classes.head}>
        <h2>Outline</h2>
        <Tooltip label="Close the outline">
          <ActionIcon size="sm" aria-label="Close the outline" onClick={onClose}>
            <IconX size={15} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.lines}>
        <OutlineTriggers />
        <ul
          ref={tree}
          role="tree"
          aria-label="Nodes in the order of a run"
          aria-multiselectable
          className={classes.tree}
          {...keys}
        >
          {rows.map((row, index) => {
            const below = folded.has(row.key) || hasBelow(rows, index);
            return (
              <Row
                key={row.key}
                row={row}
                words={wordsOfRow(row, records, types, numbers)}
                problems={grave(problems.get(row.id))}
                stale={row.kind === 'node' ? stale.get(row.id) : undefined}
                threads={row.kind === 'node' ? (threads.get(row.id) ?? 0) : 0}
                selected={selection.has(row.id)}
                stood={index === at}
                open={below ? !folded.has(row.key) : undefined}
                onFold={() => fold(row, !folded.has(row.key))}
                onPick={(more) => go(index, more)}
              />
            );
          })}
        </ul>
        {records.nodes.size === 0 ? <NothingYet /> : null}
      </div>
      <div className={classes.tools} role="toolbar" aria-label="Outline tools">
        {children}
      </div>
    </section>
  );
}
