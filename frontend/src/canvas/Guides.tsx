import { ViewportPortal } from '@xyflow/react';
import type { Guide } from '../graph/layout/guides.ts';
import classes from './canvas.module.css';

/** The lines along which a dragged node is aligned with others. */
export function Guides({ guides }: { guides: readonly Guide[] }) {
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          className={classes.guide}
          style={
            axis === 'x'
              ? { left: at, top: from, width: 1, height: to - from }
              : { left: from, top: at, width: to - from, height: 1 }
          }
        />
      ))}
    </ViewportPortal>
  );
}
