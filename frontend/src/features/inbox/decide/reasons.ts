/** Ready-made reasons to reject, and how they go together with what somebody has typed. */

const BETWEEN = ': ';
const JOINT = /^[\s.,:;–-]+/;

/** The ready-made reason that a text is, or begins with; null for own words. */
export function reasonIn(text: string, offered: readonly string[]): string | null {
  const found = offered.filter((reason) => {
    return text.startsWith(reason) && !/^[\p{L}\p{N}]/u.test(text.slice(reason.length));
  });
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** The text after a ready-made reason was clicked: it goes before own words, and a second click takes it away. */
export function withPicked(text: string, reason: string, offered: readonly string[]): string {
  const before = reasonIn(text, offered);
  const own = (before === null ? text : text.slice(before.length).replace(JOINT, '')).trim();
  if (before === reason) return own;
  return own === '' ? reason : `${reason}${BETWEEN}${own}`;
}
