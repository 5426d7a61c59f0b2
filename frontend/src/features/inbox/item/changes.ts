import type { ItemChange } from '../../../api/types/types.ts';
import { type Piece, textDiff } from '../../../graph/document/text/textDiff.ts';
import { visible } from '../../../run/values/visible.ts';
import { blobOf, brief } from '../../../run/values/json.ts';

const LONG = 48;
const MANY_WORDS = 5;

/** Whether a text is read word by word; a name is read as one. */
const isLong = (text: string): boolean =>
  text.length > LONG || text.split(/\s+/).length >= MANY_WORDS;

/** How one value became another: word by word for text, as a whole for everything else. */
export function piecesOf({ before, after, added }: ItemChange): Piece[] | null {
  if (blobOf(before) !== null || blobOf(after) !== null) return null;
  if (typeof before === 'string' && typeof after === 'string' && (isLong(before) || isLong(after)))
    return textDiff(visible(before), visible(after));
  const pieces: Piece[] = [
    { kind: 'removed', text: plain(before) },
    { kind: 'added', text: plain(after) },
  ];
  return added ? pieces.slice(1) : pieces;
}

const plain = (value: ItemChange['before']) =>
  typeof value === 'string' ? visible(value) : brief(value, 400);
