/** Numbers as people type them: read as the product writes them, and never guessed at. */

export interface NumberKind {
  /** The currency of a sum, as `USD`; none for a number. */
  unit?: string | undefined;
  isWhole?: boolean;
}

/** The number, without anything around it; `text` is exact. */
export interface TypedNumber {
  value: number;
  text: string;
}
export type ReadNumber = TypedNumber | { problem: string };

const LONGEST = 400;
const SIGNS = /^[$€£¥]$/;
const WHOLE = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/;
const DIGITS = /^\d+$/;
const EXPONENT = /^[-+]?[\d.]+e[-+]?\d+$/i;
const CURRENCY = /^[A-Z]{3}$/;
/** One point before three digits: elsewhere it stands between thousands. */
const EITHER = /^-?[1-9]\d{0,2}\.\d{3}$/;
const EXAMPLE = 'Write a number such as 1,087.06.';

/** The sign that goes before a sum: `$`, or `CHF` where the currency has none. */
export function signOf(unit: string | undefined): string {
  if (unit === undefined || !CURRENCY.test(unit)) return '';
  const look = new Intl.NumberFormat('en', { style: 'currency', currency: unit });
  return look.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? unit;
}

/** A number without an exponent, in as few digits as say which one it is. */
export function plainNumber(value: number): string {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = whole.length + Number(exponent);
  const all = whole + fraction;
  const digits = shift > 0 ? all.padEnd(shift, '0') : `${'0'.repeat(1 - shift)}${all}`;
  const point = Math.max(1, shift);
  return `${value < 0 ? '-' : ''}${joined(digits.slice(0, point), digits.slice(point))}`;
}

/** A decimal number for a box, in which it is read as the same: `1.125` as `1.1250`. */
export const boxed = (decimal: string): string => (EITHER.test(decimal) ? `${decimal}0` : decimal);

/** The same number in one way of writing it. */
function joined(whole: string, fraction: string): string {
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === '0') end -= 1;
  return end === 0 ? units : `${units}.${fraction.slice(0, end)}`;
}

/** Read `1,087.06`, `1087.06` and, of a sum, `$1,087.06`; what could mean two numbers is refused. */
export function readNumber(typed: string, { unit, isWhole = false }: NumberKind = {}): ReadNumber {
  const text = typed.trim().replace('−', '-');
  if (text.length > LONGEST) return { problem: 'This has more digits than can be kept.' };
  const bare = withoutSign(text, unit);
  if (typeof bare !== 'string') return bare;
  if (EITHER.test(bare) && decimalsOf(unit) !== 3) return { problem: eitherOf(bare, isWhole) };
  const exact = exactOf(bare);
  if (exact === null) return { problem: problemOf(bare) };
  const value = Number(exact);
  if (isWhole && exact.includes('.')) return { problem: 'This must be a whole number.' };
  if (plainNumber(value) !== exact)
    return { problem: 'This has more digits than can be kept exactly. Write at most 15.' };
  return { value, text: exact };
}

/** The number that a text is, without thousands' commas; null where it is none. */
function exactOf(bare: string): string | null {
  const isLess = bare.startsWith('-');
  const [whole = '', fraction, ...more] = bare.slice(isLess ? 1 : 0).split('.');
  const isFraction = fraction === undefined || DIGITS.test(fraction);
  const isNumber = WHOLE.test(whole) || (whole === '' && fraction !== undefined);
  if (!isNumber || !isFraction || more.length > 0) return null;
  const size = joined(whole.replaceAll(',', ''), fraction ?? '');
  return isLess && size !== '0' ? `-${size}` : size;
}

/** `-$5`, `$ 5`, `5 EUR`: a minus first, a currency on one side of the digits. */
const SIGNED = /^(-?)([^\d.,\s-]*)\s?([\d.,]+)\s?([^\d.,\s-]*)$/;
/** `$-5`. */
const MINUS_WITHIN = /^([^\d.,\s-]+)\s?-(?=[\d.,])/;

/** The text without its currency, or why that is another one. */
function withoutSign(text: string, unit: string | undefined): string | { problem: string } {
  const found = SIGNED.exec(text.replace(MINUS_WITHIN, '-$1'));
  if (found === null) return text;
  const [, less = '', before = '', number = '', after = ''] = found;
  const sign = before || after;
  if (sign === '' || (before !== '' && after !== '')) return text;
  const isCurrency = SIGNS.test(sign) || CURRENCY.test(sign);
  const isOwn = unit === undefined ? SIGNS.test(sign) : sign === unit || sign === signOf(unit);
  if (isOwn) return `${less}${number}`;
  if (isCurrency && unit !== undefined)
    return { problem: `This sum is in ${unit}: write it without ${sign}.` };
  return text;
}

/** How many decimals a currency has; two where nothing is said of it. */
function decimalsOf(unit: string | undefined): number {
  if (unit === undefined || !CURRENCY.test(unit)) return 2;
  const look = new Intl.NumberFormat('en', { style: 'currency', currency: unit });
  return look.resolvedOptions().maximumFractionDigits ?? 2;
}

/** The two ways to write what a number with a point before three digits may mean. */
function eitherOf(bare: string, isWhole: boolean): string {
  const thousands = bare.replace('.', ',');
  if (isWhole) return `A comma stands between thousands. Did you mean ${thousands}?`;
  const decimal = bare.endsWith('0') ? bare.slice(0, -1) : `${bare}0`;
  return `This can be read in two ways. Write ${thousands} or ${decimal}.`;
}

/** What to write instead of what cannot be read as one number. */
function problemOf(bare: string): string {
  if (EXPONENT.test(bare)) return 'Write the number out, such as 1,000.';
  const turned = bare.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));
  if (!bare.includes(',') || !/^-?[\d.,]+$/.test(bare)) return EXAMPLE;
  const hint = exactOf(turned) === null ? EXAMPLE : `Did you mean ${turned}?`;
  return `A comma stands between thousands, a point before decimals. ${hint}`;
}

/** A whole number that has more digits than a browser can hold, said to be rounded; null for all others. */
export function inexact(value: number): string | null {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return null;
  return `about ${value.toLocaleString('en')} (rounded: it has too many digits to be shown here)`;
}

/** How a number is read: `$1,087.06`, or `1,087.06`; every digit that was typed is told. */
export function readAs(exact: string, unit: string | undefined): string {
  const decimals = exact.split('.')[1]?.length ?? 0;
  const isMoney = unit !== undefined && CURRENCY.test(unit);
  const style = isMoney ? ({ style: 'currency', currency: unit } as const) : {};
  const least = isMoney
    ? (new Intl.NumberFormat('en', style).resolvedOptions().minimumFractionDigits ?? 2)
    : decimals;
  const look = new Intl.NumberFormat('en', {
    ...style,
    minimumFractionDigits: least,
    maximumFractionDigits: Math.min(100, Math.max(least, decimals)),
  });
  return look.format(exact as Intl.StringNumericLiteral);
}
