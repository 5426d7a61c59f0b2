import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import classes from './canvas.module.css';

const GAP = 24;
const modulo = (value: number, by: number) => ((value % by) + by) % by;

/** A faint grid whose dots stay visible when zoomed out. Panning only shifts it: nothing is painted anew. */
export function DotGrid() {
  const grid = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  useEffect(() => {
    let [lastX, lastY, lastZoom] = [NaN, NaN, NaN];
    const draw = () => {
      const [x, y, zoom] = store.getState().transform;
      const style = grid.current?.style;
      if (!style || (x === lastX && y === lastY && zoom === lastZoom)) return;
      const coarse = zoom < 0.3 ? 4 : zoom < 0.65 ? 2 : 1;
      const gap = GAP * coarse * zoom;
      if (zoom !== lastZoom) {
        style.setProperty('--gap', `${gap}px`);
        style.setProperty('--radius', `${0.8 * coarse * zoom}px`);
      }
      style.transform = `translate(${modulo(x, gap)}px, ${modulo(y, gap)}px)`;
      [lastX, lastY, lastZoom] = [x, y, zoom];
    };
    draw();
    return store.subscribe(draw);
  }, [store]);
  return (
    <div className={classes.gridFrame} aria-hidden>
      <div ref={grid} className={classes.grid} />
    </div>
  );
}
