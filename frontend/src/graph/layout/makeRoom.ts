import type { NodeDoc, Position } from '../../api/types/types.ts';
import { type RecordValue, withRecords } from '../document/diff.ts';
import type { Records } from '../document/document.ts';
import { NODE_WIDTH, snap } from './layout.ts';
import { reach } from '../schema/reach.ts';

/** The free width that a wire needs between two cards. */
const GAP = 72;
/** Cards whose tops are nearer than this stand beside each other. */
const ROW = 140;

const beside = (one: Position, other: Position) => Math.abs(one.y - other.y) < ROW;

/** Let a node that was put between two others stand there: it moves off the first, and what follows moves off it. */
export function makeRoom(records: Records, source: string, id: string, target: string): Records {
  const [from, card, to] = [source, id, target].map((each) => records.nodes.get(each));
  if (!card?.position) return records;
  const moved: RecordValue[] = [];
  const move = (node: NodeDoc, x: number) =>
    moved.push({
      kind: 'node',
      id: node.id,
      value: { ...node, position: { x: snap(x), y: node.position?.y ?? 0 } },
    });
  const right =
    from?.position && beside(from.position, card.position) && from.position.x <= card.position.x
      ? from.position.x + NODE_WIDTH + GAP
      : card.position.x;
  const x = Math.max(card.position.x, right);
  if (x > card.position.x) move(card, x);
  const start = to?.position;
  const short =
    start && beside(card.position, start) && (!from?.position || from.position.x < start.x)
      ? x + NODE_WIDTH + GAP - start.x
      : 0;
  if (start && short > 0) {
    for (const each of reach(records, [target], 'downstream')) {
      const node = records.nodes.get(each);
      if (node?.position && each !== id && each !== source && node.position.x >= start.x)
        move(node, node.position.x + short);
    }
  }
  return withRecords(records, moved);
}
