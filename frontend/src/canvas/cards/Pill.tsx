import { Handle, type NodeProps, Position, useConnection } from '@xyflow/react';
import { IconFlag, IconPlayerPlay } from '@tabler/icons-react';
import { memo } from 'react';
import { MAIN } from '../../graph/schema/ports.ts';
import type { PillNode } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useScene } from './context.ts';

/** Where a run starts, and where a branch ends. An end that nothing leads to shows while a wire is drawn: a branch ends without it too. */
export const Pill = memo(function Pill({ data, selected }: NodeProps<PillNode>) {
  const editable = useScene().mode === 'edit';
  const drawing = useConnection((connection) => connection.inProgress);
  return (
    <div className={classes.pill} data-selected={selected} data-idle={data.idle && !drawing}>
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
});
