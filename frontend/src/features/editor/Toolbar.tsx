import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconHandStop,
  IconNote,
  IconPlus,
  IconPlugConnected,
  IconPointer,
  IconListTree,
  IconMessages,
  IconSitemap,
  IconSparkles,
  IconTrash,
  type Icon,
} from '@tabler/icons-react';
import { allActions, keysOf, runAction, useRegistry } from '../../actions/registry.ts';
import { BottomBar, ZoomControls } from '../../canvas/CanvasFrame.tsx';
import canvas from '../../canvas/canvas.module.css';
import { useUnread } from '../../api/http/workspace/mentions.ts';
import { useEditor } from '../../store/editor.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { useCommenting } from '../comments/commenting.ts';
import { freeRoom } from './testrun/sight/fit.ts';

/** A button for a registered action: its label and shortcut come from the registry. */
export function ActionButton({
  id,
  icon: Glyph,
  active = false,
  disabled = false,
  count = 0,
  word,
}: {
  id: string;
  icon: Icon;
  /** What it does in one word, for where no pointer rests on it. */
  word?: string;
  active?: boolean;
  disabled?: boolean;
  /** How much waits behind it for the person. */
  count?: number;
}) {
  const registry = useRegistry();
  const action = allActions(registry).findLast((entry) => entry.id === id);
  const keys = action ? keysOf(action, registry)[0] : undefined;
  const label = action?.label ?? id;
  return (
    <Tooltip
      label={
        <span style={{ display: 'inline-flex', gap: 8 }}>
          {label}
          {keys ? <Kbd keys={keys} /> : null}
        </span>
      }
    >
      <ActionIcon
        aria-label={count > 0 ? `${label}, ${count} for you` : label}
        aria-pressed={active}
        variant={active ? 'light' : 'subtle'}
        color={active ? 'accent' : 'gray'}
        disabled={disabled}
        {...(count > 0 ? { style: { overflow: 'visible' } } : {})}
        onClick={() => runAction(id)}
      >
        <Glyph size={17} stroke={1.7} />
        {word ? <span data-word>{word}</span> : null}
        {count > 0 ? (
          <span className={canvas.forYou} aria-hidden>
            {count}
          </span>
        ) : null}
      </ActionIcon>
    </Tooltip>
  );
}

function CommentsButton({ active = false, word }: { active?: boolean; word?: string }) {
  const graphId = useEditor((state) => state.graphId);
  const count = useUnread(graphId);
  return (
    <ActionButton
      id="editor.comments"
      icon={IconMessages}
      active={active}
      count={count}
      {...(word ? { word } : {})}
    />
  );
}

/** What can be done with what is selected in the outline. */
export function OutlineTools() {
  const canUndo = useEditor((state) => state.undoStack.length > 0);
  const canRedo = useEditor((state) => state.redoStack.length > 0);
  const canEdit = useEditor((state) => state.can.edit);
  const some = useEditor((state) => [...state.nodes, ...state.edges].some((each) => each.selected));
  if (!canEdit) return <CommentsButton word="Comments" />;
  return (
    <>
      <ActionButton id="editor.palette" word="Add" icon={IconPlus} />
      <ActionButton id="editor.connect" word="Connect" icon={IconPlugConnected} disabled={!some} />
      <ActionButton id="editor.delete" word="Delete" icon={IconTrash} disabled={!some} />
      <ActionButton id="editor.undo" word="Undo" icon={IconArrowBackUp} disabled={!canUndo} />
      <ActionButton id="editor.redo" word="Redo" icon={IconArrowForwardUp} disabled={!canRedo} />
      <ActionButton id="editor.describe" word="Describe" icon={IconSparkles} />
      <CommentsButton word="Comments" />
    </>
  );
}

/** The tools at the foot of the canvas. */
export function Toolbar({ tool }: { tool: 'select' | 'pan' }) {
  const canUndo = useEditor(
    (state) => state.undoStack.length > 0 || state.records !== state.committed,
  );
  const canRedo = useEditor((state) => state.redoStack.length > 0);
  const canEdit = useEditor((state) => state.can.edit);
  const comments = useCommenting((state) => state.panel);
  return (
    <BottomBar>
      <ActionButton id="editor.select" icon={IconPointer} active={tool === 'select'} />
      <ActionButton id="editor.pan" icon={IconHandStop} active={tool === 'pan'} />
      <ActionButton id="editor.outline" icon={IconListTree} />
      <CommentsButton active={comments} />
      <span className={canvas.divider} />
      {canEdit ? (
        <>
          <ActionButton id="editor.palette" icon={IconPlus} />
          <ActionButton id="editor.note" icon={IconNote} />
          <ActionButton id="editor.tidy" icon={IconSitemap} />
          <ActionButton id="editor.describe" icon={IconSparkles} />
          <span className={canvas.divider} />
          <ActionButton id="editor.undo" icon={IconArrowBackUp} disabled={!canUndo} />
          <ActionButton id="editor.redo" icon={IconArrowForwardUp} disabled={!canRedo} />
          <span className={canvas.divider} />
        </>
      ) : null}
      <ZoomControls options={freeRoom} />
    </BottomBar>
  );
}
