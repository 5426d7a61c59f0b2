/** A piece of text that stayed, went or came. */
export interface Piece {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const CELLS = 400_000;
const words = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];
const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The longest common subsequence of two lists, as lengths from each place on. */
function lengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const here = row * width + column;
      table[here] =
        before[row] === after[column]
          ? (table[here + width + 1] ?? 0) + 1
          : Math.max(table[here + width] ?? 0, table[here + 1] ?? 0);
    }
  }
  return table;
}

function walk(before: readonly string[], after: readonly string[]): Piece[] {
  const table = lengths(before, after);
  const width = after.length + 1;
  const pieces: Piece[] = [];
  const put = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const now = after[column];
    if (old !== undefined && old === now) {
      put('same', old);
      row += 1;
      column += 1;
    } else if (
      now === undefined ||
      (old !== undefined &&
        (table[(row + 1) * width + column] ?? 0) >= (table[row * width + column + 1] ?? 0))
    ) {
      put('removed', old ?? '');
      row += 1;
    } else {
      put('added', now);
      column += 1;
    }
  }
  return pieces;
}

/** How one text became another, word by word; long texts line by line, very long ones as a whole. */
export function textDiff(before: string, after: string): Piece[] {
  for (const split of [words, lines]) {
    const [old, now] = [split(before), split(after)];
    if ((old.length + 1) * (now.length + 1) <= CELLS) return walk(old, now);
  }
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}
