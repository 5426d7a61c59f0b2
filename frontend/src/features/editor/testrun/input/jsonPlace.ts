const TOKEN =
  /[\s]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'rest';

/** What may stand next, once a token stood where it was wanted; null where it may not stand there. */
function after(wanted: Wanted, mark: string, text: boolean, open: string[]): Wanted | null {
  if (mark === '}' || mark === ']') {
    const mine = mark === '}' ? '{' : '[';
    const empty = wanted === (mark === '}' ? 'key or }' : 'value or ]');
    return (empty || wanted === 'rest') && open.pop() === mine ? 'rest' : null;
  }
  if (wanted === 'rest')
    return mark !== ',' || open.length === 0 ? null : open.at(-1) === '{' ? 'key' : 'value';
  if (wanted === ':') return mark === ':' ? 'value' : null;
  if (wanted.startsWith('key')) return text ? ':' : null;
  if (mark === '') return 'rest';
  if (mark !== '{' && mark !== '[') return null;
  open.push(mark);
  return mark === '{' ? 'key or }' : 'value or ]';
}

/** Where a text stops being JSON, from 0: the place of the first token that may not stand there. Browsers do not all say it. */
export function jsonPlace(text: string): number {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  for (;;) {
    const start = at + (/^\s*/.exec(text.slice(at, at + 1000))?.[0].length ?? 0);
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) return start;
    const next = after(wanted, found[1] ?? '', found[2] !== undefined, open);
    if (next === null) return start;
    wanted = next;
    at = TOKEN.lastIndex;
  }
}
