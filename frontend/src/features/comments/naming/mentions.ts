/** Names in a text that a person writes, and the parts of one that is shown. */

export interface Named {
  id: string;
  name: string;
}

/** The word that is being typed after an `@`: where it begins, and what stands of it. */
export interface Asked {
  from: number;
  word: string;
}

const LONGEST = 40;
/** As much as is sent of any text that names people; of more the beginning is read. */
const LONGEST_TEXT = 10_000;

/** What is asked for at the cursor; null where no name is being typed. */
export function askedAt(text: string, caret: number): Asked | null {
  const from = text.lastIndexOf('@', caret - 1);
  if (from < 0 || caret - from > LONGEST) return null;
  const word = text.slice(from + 1, caret);
  const before = from === 0 ? ' ' : text.charAt(from - 1);
  return /[\s(,;:]/u.test(before) && !/[\n@]|\s{2}/u.test(word) ? { from, word } : null;
}

/** The people whose name, or a part of it, begins so; the first few. */
export function meant(people: readonly Named[], word: string): Named[] {
  const wanted = word.trim().toLowerCase();
  const begins = (name: string) =>
    name.startsWith(wanted) || name.split(/\s+/u).some((part) => part.startsWith(wanted));
  return people.filter(({ name }) => begins(name.toLowerCase())).slice(0, 6);
}

/** The text with a name in place of what was typed of it, and where the cursor is then. */
export function named(text: string, { from, word }: Asked, { name }: Named) {
  const head = `${text.slice(0, from)}@${name} `;
  return { text: head + text.slice(from + 1 + word.length).trimStart(), caret: head.length };
}

/** Of the people who were picked, those whom the text still names. */
export const stillNamed = (text: string, picked: readonly Named[]): Named[] =>
  picked.filter(({ name }) => text.includes(`@${name}`));

/**
 * Whom a text names: those who were picked, and whose name somebody wrote by hand as a word of its own. Of several
 * people of one name only one who was picked.
 */
export function namedIn(long: string, picked: readonly Named[], people: readonly Named[]): Named[] {
  const text = long.slice(0, LONGEST_TEXT);
  const still = stillNamed(text, picked);
  const names = new Set(still.map(({ name }) => name));
  const byHand: Named[] = [];
  // the few whose name stands there at all: a thousand people beside each of a thousand signs would be felt
  const there = people.filter(({ name }) => text.includes(`@${name}`));
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = BEFORE.test(text.charAt(at - 1)) ? nameAt(text, at + 1, there) : undefined;
    const [one, ...alike] = there.filter((person) => person.name === name);
    if (!one || alike.length > 0 || names.has(one.name)) continue;
    names.add(one.name);
    byHand.push(one);
  }
  return [...still, ...byHand];
}

const BEFORE = /^[\s(,;:]?$/u;
const WORD = /^[\p{L}\p{N}]/u;

/** The longest of the names that stands there, as a whole word. */
function nameAt(text: string, at: number, people: readonly Named[]): string | undefined {
  return people
    .map(({ name }) => name)
    .filter(
      (name) =>
        text.startsWith(name, at) && !WORD.test(text.slice(at + name.length, at + name.length + 2)),
    )
    .toSorted((a, b) => b.length - a.length)[0];
}

export type Piece = { kind: 'text' | 'mention' | 'link'; text: string };

/** A sign of the end of a sentence is no part of an address. */
const trimmed = (address: string) => address.replace(/[.,;:!?)\]'"]{1,8}$/u, '');

function isAddress(text: string): boolean {
  return URL.canParse(text);
}

/** A text in pieces: names of those it mentions, addresses of pages, and all else as it is. */
export function piecesOf(text: string, mentions: readonly Named[]): Piece[] {
  const names = mentions.map(({ name }) => `@${name}`).toSorted((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  let plain = '';
  const add = (kind: Piece['kind'], words: string) => {
    if (plain) pieces.push({ kind: 'text', text: plain });
    plain = '';
    pieces.push({ kind, text: words });
  };
  for (let at = 0; at < text.length;) {
    const name = text[at] === '@' ? names.find((each) => text.startsWith(each, at)) : undefined;
    const link = text[at] === 'h' ? linkAt(text, at) : null;
    if (name) add('mention', name);
    else if (link) add('link', link);
    else plain += text[at] ?? '';
    at += name?.length ?? link?.length ?? 1;
  }
  if (plain) pieces.push({ kind: 'text', text: plain });
  return pieces;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/uy;

function linkAt(text: string, at: number): string | null {
  ADDRESS.lastIndex = at;
  const found = ADDRESS.exec(text)?.[0];
  const address = found ? trimmed(found) : '';
  return address && isAddress(address) ? address : null;
}
