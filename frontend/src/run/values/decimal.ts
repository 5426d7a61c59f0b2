/** Exact arithmetic on decimal strings: money never passes through a floating-point number. */

const SCALE = 18;
const UNIT = 10n ** BigInt(SCALE);
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function parse(text: string): bigint {
  const match = PATTERN.exec(text.trim());
  if (match === null) return 0n;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = SCALE - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction || '0');
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -value : value;
}

function format(value: bigint): string {
  const negative = value < 0n;
  const size = negative ? -value : value;
  const fraction = (size % UNIT).toString().padStart(SCALE, '0').replace(/0+$/, '');
  const text = fraction === '' ? (size / UNIT).toString() : `${size / UNIT}.${fraction}`;
  return negative ? `-${text}` : text;
}

export function addDecimal(a: string, b: string): string {
  return format(parse(a) + parse(b));
}

export function subtractDecimal(a: string, b: string): string {
  return format(parse(a) - parse(b));
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. */
export function compareDecimal(a: string, b: string): number {
  const difference = parse(a) - parse(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** `part` of `whole` between 0 and 1, for the length of a bar; 0 where `whole` is zero. */
export function shareOf(part: string, whole: string): number {
  const total = parse(whole);
  if (total <= 0n) return 0;
  return Math.min(1, Math.max(0, Number((parse(part) * 10_000n) / total) / 10_000));
}
