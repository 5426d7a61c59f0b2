import { Handle, type NodeProps, Position, useConnection } from '@xyflow/react';
import { IconFlag, IconPlayerPlay } from '@tabler/icons-react';
import { memo } from 'react';
import { MAIN } from '../../graph/schema/ports.ts';
import { elementId, type PillNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useMiddle, useScene } from './context.ts';

const SHOWN = 3;

/** What a run is started with, under the start; where nothing is declared, authors are asked to. */
function Fields({ names, editable }: { names: readonly string[]; editable: boolean }) {
  if (names.length === 0)
    return editable ? <span className={classes.pillFields}>Add start fields</span> : null;
  const more = names.length - SHOWN;
  return (
    <span className={classes.pillFields} title={names.join(', ')}>
      {names.slice(0, SHOWN).join(', ')}
      {more > 0 ? ` +${more}` : ''}
    </span>
  );
}

/** Where a run starts, and where a branch ends. An end that nothing leads to shows while a wire is drawn: a branch ends without it too. */
export const Pill = memo(function Pill({ id, data, selected }: NodeProps<PillNode>) {
  const editable = useScene().mode === 'edit';
  const drawing = useConnection((connection) => connection.inProgress);
  const middle = useMiddle();
  const pill = (
    <div
      className={classes.pill}
      data-selected={selected}
      data-idle={data.idle && !drawing}
      data-start={!data.end}
    >
      {data.end ? (
        <Handle
          type="target"
          id="in"
          position={Position.Left}
          className={classes.handle}
          isConnectable={editable}
        />
      ) : null}
      {data.end ? (
        <IconFlag size={14} stroke={1.9} aria-hidden />
      ) : (
        <IconPlayerPlay size={14} stroke={1.9} aria-hidden />
      )}
      {data.end ? 'End' : 'Start'}
      {data.end ? null : (
        <Handle
          type="source"
          id={MAIN}
          position={Position.Right}
          className={classes.handle}
          isConnectable={editable}
        />
      )}
    </div>
  );
  return (
    <div
      id={elementId(id)}
      role="group"
      aria-label={data.end ? 'End' : 'Start'}
      className={classes.pillBox}
      data-middle={middle}
    >
      {pill}
      {data.end ? null : <Fields names={data.fields} editable={editable} />}
    </div>
  );
});
