/** Durations in words and as exact milliseconds, both ways: `2 d 4 h`, `90 min`, `1 s 5 ms`. */

interface Unit {
  ms: number;
  short: string;
  name: string;
  also: readonly string[];
}

const week: Unit = { ms: 604_800_000, short: 'w', name: 'week', also: ['wk', 'wks'] };
const units: readonly Unit[] = [
  { ms: 86_400_000, short: 'd', name: 'day', also: [] },
  { ms: 3_600_000, short: 'h', name: 'hour', also: ['hr', 'hrs'] },
  { ms: 60_000, short: 'min', name: 'minute', also: ['m', 'mins'] },
  { ms: 1_000, short: 's', name: 'second', also: ['sec', 'secs'] },
  { ms: 1, short: 'ms', name: 'millisecond', also: ['msec', 'msecs'] },
];
const byWord = new Map(
  [week, ...units].flatMap((unit) =>
    [unit.short, unit.name, `${unit.name}s`, ...unit.also].map((word) => [word, unit] as const),
  ),
);
const counts = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const vague = new Set('mo month months y yr yrs year years quarter quarters'.split(' '));
const idle = new Set(['and', 'after', 'for', 'in', 'within', ',']);

const DAY_MS = 86_400_000;
/** Longer texts are no duration. */
const LONGEST = 80;
const LIKE = 'Say it as in 2 d 4 h or 90 min.';

function parts(ms: number): [number, Unit][] {
  let left = ms;
  return units.flatMap((unit): [number, Unit][] => {
    const count = Math.floor(left / unit.ms);
    left -= count * unit.ms;
    return count > 0 ? [[count, unit]] : [];
  });
}

const sayable = (ms: number): boolean => Number.isSafeInteger(ms) && ms >= 0;

/** A duration as a field shows it: `2 d 4 h`. Read back it is the same to the millisecond. */
export function shortDuration(ms: number): string {
  if (!sayable(ms)) return `${ms} ms`;
  return (
    parts(ms)
      .map(([count, unit]) => `${count} ${unit.short}`)
      .join(' ') || '0 s'
  );
}

/** A duration as one says it: `2 days 4 hours`. Exact. */
export function longDuration(ms: number): string {
  if (!sayable(ms)) return `${ms} ms`;
  const said = parts(ms).map(([count, { name }]) => `${count} ${name}${count === 1 ? '' : 's'}`);
  return said.join(' ') || 'no time';
}

/** What a text means: milliseconds, or why it is no duration. */
export type Meant = { ms: number } | { wrong: string };

/** A count as digits before and after its point. */
interface Count {
  digits: bigint;
  scale: number;
}

function countOf(word: string): Count | null {
  const known = counts.indexOf(word);
  if (known >= 0) return { digits: BigInt(known + 1), scale: 0 };
  if (word === 'a' || word === 'an') return { digits: 1n, scale: 0 };
  if (word === 'half') return { digits: 5n, scale: 1 };
  if (!/^\d/.test(word)) return null;
  const [whole = '', rest = ''] = word.split('.');
  return { digits: BigInt(whole + rest), scale: rest.length };
}

function unitOf(word: string | undefined, count: string): Unit | string {
  const unit = word === undefined ? undefined : byWord.get(word);
  if (unit) return unit;
  if (word !== undefined && vague.has(word))
    return 'Months and years have no fixed length: say days.';
  if (word === ',') return 'Write numbers without a comma.';
  if (word === undefined || countOf(word))
    return `${count} of what? Say ${count} s, ${count} min, ${count} h or ${count} d.`;
  return `“${word}” is no unit of time: say ms, s, min, h, d or w.`;
}

/** Whole milliseconds of so many of a unit; null where there are none. */
function product({ digits, scale }: Count, unit: Unit): bigint | null {
  const all = digits * BigInt(unit.ms);
  const part = 10n ** BigInt(scale);
  return all % part === 0n ? all / part : null;
}

/** Read a duration, each unit once, in any order. */
export function readDuration(text: string): Meant {
  if (text.length > LONGEST) return { wrong: `That is too long. ${LIKE}` };
  const words = text.toLowerCase().match(/\d+(?:\.\d+)?|\p{L}+|\S/gu) ?? [];
  if (words.length === 0) return { wrong: LIKE };
  if (words.length === 1 && words[0] === '0') return { ms: 0 };
  const seen = new Set<Unit>();
  let sum = 0n;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (idle.has(word)) continue;
    const count = countOf(word);
    if (!count) return { wrong: `“${word}” is not understood here. ${LIKE}` };
    if (word === 'half' && /^an?$/.test(words[at + 1] ?? '')) at += 1;
    const unit = unitOf(words[(at += 1)], word);
    if (typeof unit === 'string') return { wrong: unit };
    if (seen.has(unit)) return { wrong: `There are two numbers of ${unit.name}s.` };
    const ms = product(count, unit);
    if (ms === null) return { wrong: 'Nothing is shorter than 1 ms.' };
    seen.add(unit);
    sum += ms;
  }
  if (seen.size === 0) return { wrong: LIKE };
  if (sum > BigInt(Number.MAX_SAFE_INTEGER)) return { wrong: 'That is too long a time.' };
  return { ms: Number(sum) };
}

/** What a duration has to keep to, in milliseconds. `step` is what it is a whole number of. */
export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
}

/** Read a duration that keeps to its bounds. */
export function readWithin(text: string, { min = 0, max = Infinity, step = 1 }: Bounds): Meant {
  // Where only whole days are taken, a number alone says how many.
  const isDays = step === DAY_MS && /^\s*\d{1,6}\s*$/.test(text);
  const meant = readDuration(isDays ? `${text} d` : text);
  if ('wrong' in meant) return meant;
  const { ms } = meant;
  if (ms % step !== 0) return { wrong: `Say whole ${step === DAY_MS ? 'days' : 'steps'}.` };
  if (ms < min) return { wrong: `It is at least ${longDuration(min)}.` };
  return ms > max ? { wrong: `It is at most ${longDuration(max)}.` } : meant;
}
