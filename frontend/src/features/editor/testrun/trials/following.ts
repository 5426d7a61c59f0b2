import type { Records } from '../../../../graph/document/document.ts';

/**
 * The new ids of nodes that went from the draft and stand in it again under another: of the same type, on
 * the same spot, and no other node new there. The undo of a rename, and what others do, says it just so.
 */
export function renamedIn(
  before: Records['nodes'],
  after: Records['nodes'],
  held: Iterable<string>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of held) {
    const was = before.get(id);
    if (!was || after.has(id)) continue;
    const there = [...after.values()].filter(
      (node) =>
        !before.has(node.id) &&
        node.type === was.type &&
        node.position?.x === was.position?.x &&
        node.position?.y === was.position?.y,
    );
    const [only] = there;
    if (only && there.length === 1) found.set(id, only.id);
  }
  return found;
}
