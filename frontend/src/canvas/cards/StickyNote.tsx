import { type NodeProps, NodeResizer } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import { withRecords } from '../../graph/document/diff.ts';
import { useEditor } from '../../store/editor.ts';
import type { NoteNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useScene } from './context.ts';
import { useNoteEditing, writeNote } from './noteEditing.ts';
import { NoteWords } from './NoteWords.tsx';

const setNote = (label: string, note: NoteNode['data']['note']) =>
  useEditor
    .getState()
    .gesture(label, (records) =>
      withRecords(records, [{ kind: 'note', id: note.id, value: note }]),
    );

function NoteText({
  text,
  editing,
  onDone,
}: {
  text: string;
  editing: boolean;
  onDone: (text: string) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (editing) field.current?.focus();
  }, [editing]);
  if (!editing)
    return (
      <div className={classes.noteText}>
        {text ? <NoteWords text={text} /> : 'Double-click to write'}
      </div>
    );
  return (
    <textarea
      ref={field}
      className={`${classes.noteText} nodrag nowheel`}
      defaultValue={text}
      aria-label="Note"
      onBlur={(event) => onDone(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}

/** A sticky note, or a frame around a group of nodes. */
export const StickyNote = memo(function StickyNote({
  data: { note },
  selected,
}: NodeProps<NoteNode>) {
  const editable = useScene().mode === 'edit';
  const editing = useNoteEditing((state) => state.id === note.id) && editable;
  const done = (text: string) => {
    writeNote(null);
    if (text !== note.text) setNote('Edit note', { ...note, text });
  };
  return (
    <div
      className={note.kind === 'frame' ? classes.frame : classes.note}
      data-selected={selected}
      onDoubleClick={(event) => {
        event.stopPropagation();
        if (editable) writeNote(note.id);
      }}
    >
      {editable ? (
        <NodeResizer
          isVisible={selected}
          minWidth={120}
          minHeight={64}
          lineClassName={classes.resizeLine}
          handleClassName={classes.resizeHandle}
          onResizeEnd={(_, { x, y, width, height }) =>
            setNote('Resize note', {
              ...note,
              position: { x: Math.round(x), y: Math.round(y) },
              size: { width: Math.round(width), height: Math.round(height) },
            })
          }
        />
      ) : null}
      <NoteText text={note.text} editing={editing} onDone={done} />
    </div>
  );
});
