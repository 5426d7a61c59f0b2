import { EdgeLabelRenderer, useInternalNode } from '@xyflow/react';
import { alike, idleWires, takeAll } from '../../graph/editing/alike.ts';
import { endOf, listed } from '../../graph/wiring/endWords.ts';
import { outgoing } from '../../graph/document/document.ts';
import { useEditor } from '../../store/editor.ts';
import classes from '../canvas.module.css';

/**
 * Said above a node of whose wires one asks for the same as an earlier one: it is never taken, unless the node takes
 * all that fit. Nothing of a card lies there: beside it, it would hide the ports. Several such wires say it once.
 */
export function OnlyOne({ wire, source }: { wire: string; source: string }) {
  const records = useEditor((state) => state.records);
  const node = useInternalNode(source);
  const [first] = idleWires(records, outgoing(records, source));
  if (!node || first?.id !== wire) return null;
  const { x, y } = node.internals.positionAbsolute;
  const names = new Set(alike(records, first).map((edge) => endOf(records, edge)));
  const take = () =>
    useEditor.getState().gesture('Take all that fit', (now) => takeAll(now, source));
  return (
    <EdgeLabelRenderer>
      <span
        className={`${classes.onlyOne} nodrag nopan`}
        style={{ transform: `translate(${x}px, ${y}px) translateY(-100%) translateY(-8px)` }}
      >
        <span>Only one of these is taken: {listed([...names])}.</span>
        <button type="button" onClick={take}>
          Take both
        </button>
      </span>
    </EdgeLabelRenderer>
  );
}
