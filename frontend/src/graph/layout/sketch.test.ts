import { describe, expect, it } from 'vitest';
import type { GraphDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { sketchOf } from './sketch.ts';

const document: GraphDoc = {
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'a', type: 'gather', position: { x: 0, y: 0 }, config: { worker: 'w' } },
    { id: 'w', type: 'plain', position: { x: 0, y: 200 } },
    { id: 'b', type: 'plain', position: { x: 400, y: 0 } },
  ],
  edges: [
    { source: '__start__', target: 'a' },
    { source: 'a', target: 'b' },
    { source: 'b', target: 'a' },
    { source: 'b', target: '__end__' },
    { source: 'a', target: 'gone' },
  ],
};
const gather = {
  type: 'gather',
  config_schema: { type: 'object', properties: { worker: { type: 'string', 'x-widget': 'node' } } },
} as unknown as NodeTypeInfo;

describe('the sketch of a graph', () => {
  it('has a box for each node, a wire for each edge that leads somewhere, and dashes to what a node runs', () => {
    const sketch = sketchOf(document, new Map([['gather', gather]]));

    expect(sketch.boxes.map((box) => box.id)).toEqual(['a', 'w', 'b']);
    expect(sketch.wires.filter((wire) => !wire.dashed)).toHaveLength(4);
    expect(sketch.wires.filter((wire) => wire.dashed).map((wire) => wire.id)).toEqual(['a:w']);
  });

  it('holds every box in its view', () => {
    const { boxes, view } = sketchOf(document, new Map());

    for (const box of boxes) {
      expect(box.x).toBeGreaterThan(view.x);
      expect(box.y).toBeGreaterThan(view.y);
      expect(box.x).toBeLessThan(view.x + view.width);
      expect(box.y).toBeLessThan(view.y + view.height);
    }
  });

  it('is there for an empty graph too', () => {
    expect(
      sketchOf({ graphwright: 1, id: 'g', nodes: [], edges: [] }, new Map()).view.width,
    ).toBeGreaterThan(0);
  });
});
