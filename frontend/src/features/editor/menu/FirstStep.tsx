import { Button, Group } from '@mantine/core';
import { useEditor } from '../../../store/editor.ts';
import classes from '../editor.module.css';

/** A graph without nodes and notes says what to do first. */
export function FirstStep({ onAdd, onDescribe }: { onAdd: () => void; onDescribe: () => void }) {
  const empty = useEditor(
    ({ records, can }) => records.nodes.size + records.notes.size === 0 && can.edit,
  );
  if (!empty) return null;
  return (
    <div className={classes.empty}>
      <h2>Start with a node</h2>
      <p>Drag one from the palette, or click the canvas and press Tab. Or say what it should do.</p>
      <Group gap="xs" justify="center">
        <Button size="xs" onClick={onAdd}>
          Add a node
        </Button>
        <Button size="xs" variant="default" onClick={onDescribe}>
          Describe it
        </Button>
      </Group>
    </div>
  );
}
