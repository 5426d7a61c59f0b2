import { useMemo } from 'react';
import type { GraphDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { tintColor, tintsOf } from '../../canvas/cards/context.ts';
import { SKETCH_BOX, sketchOf } from '../../graph/layout/sketch.ts';
import classes from './gallery.module.css';

/** A graph drawn small: the colour of a box is its type's category. Decoration: what it shows is said beside it. */
export function GraphSketch({
  document,
  nodeTypes,
}: {
  document: GraphDoc;
  nodeTypes: readonly NodeTypeInfo[];
}) {
  const types = useMemo(() => new Map(nodeTypes.map((type) => [type.type, type])), [nodeTypes]);
  const tints = useMemo(() => tintsOf(nodeTypes), [nodeTypes]);
  const { boxes, wires, view } = useMemo(() => sketchOf(document, types), [document, types]);
  return (
    <svg
      className={classes.sketch}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden
    >
      {wires.map((wire) => (
        <path
          key={wire.id}
          d={wire.path}
          className={classes.sketchWire}
          data-dashed={wire.dashed || undefined}
        />
      ))}
      {boxes.map((box) => {
        const category = types.get(box.type)?.category;
        return (
          <g
            key={box.id}
            style={{ color: tintColor(category === undefined ? undefined : tints.get(category)) }}
          >
            <rect className={classes.sketchBox} x={box.x} y={box.y} {...SKETCH_BOX} rx={14} />
            <rect
              className={classes.sketchChip}
              x={box.x + 14}
              y={box.y + 18}
              width={40}
              height={40}
              rx={10}
            />
            <rect
              className={classes.sketchLine}
              x={box.x + 70}
              y={box.y + 22}
              width={120}
              height={12}
              rx={6}
            />
            <rect
              className={classes.sketchLine}
              x={box.x + 70}
              y={box.y + 44}
              width={80}
              height={10}
              rx={5}
            />
          </g>
        );
      })}
    </svg>
  );
}
