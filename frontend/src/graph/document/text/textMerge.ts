import { textDiff } from './textDiff.ts';

/** What became of a stretch of the text: from and to as places of the old text, and the words now there. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

const tokens = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];
/** So many words must stay between two edits, else they are about the same thing. */
const APART = 2;

/** How many tokens two lists have in common at one end. */
function common(one: readonly string[], other: readonly string[], at: (place: number) => number) {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one.at(at(count)) === other.at(at(count))) count += 1;
  return count;
}

/** The stretches in which `after` differs from `before`, in order. */
function edits(before: string, after: string): Edit[] {
  const [old, now] = [tokens(before), tokens(after)];
  const head = common(old, now, (place) => place);
  const tail = common(old.slice(head), now.slice(head), (place) => -1 - place);
  const middle = (list: readonly string[]) => list.slice(head, list.length - tail).join('');
  const found: Edit[] = [];
  let place = old.slice(0, head).join('').length;
  let open: Edit | null = null;
  for (const { kind, text } of textDiff(middle(old), middle(now))) {
    if (kind === 'same') {
      place += text.length;
      open = null;
      continue;
    }
    if (!open) found.push((open = { from: place, to: place, text: '' }));
    if (kind === 'added') open.text += text;
    else open.to = place += text.length;
  }
  return found;
}

const wordsIn = (text: string) => (text.match(/\S*\p{L}\S*/gu) ?? []).length;

/** Whether two edits are far enough from each other for both to be meant. */
function apart(base: string, one: Edit, other: Edit): boolean {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  return first.to < second.from && wordsIn(base.slice(first.to, second.from)) >= APART;
}

/** The text with the edits of both sides; null where two of them are about the same words. */
export function mergeText(base: string, mine: string, theirs: string): string | null {
  const [ours, others] = [edits(base, mine), edits(base, theirs)];
  if (ours.some((one) => others.some((other) => !apart(base, one, other)))) return null;
  let text = base;
  for (const { from, to, text: now } of [...ours, ...others].toSorted((a, b) => b.from - a.from))
    text = text.slice(0, from) + now + text.slice(to);
  return text;
}
