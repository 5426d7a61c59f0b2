import type { Json, JsonSchema } from '../../../api/types/types.ts';

const CURRENCY = /^[A-Z]{3}$/;

/** Words that nobody writes in small letters. */
const CAPITALS: ReadonlySet<string> = new Set(['iban', 'bic', 'vat', 'id', 'url', 'sku', 'cv']);
/** Words in a field's name that say that it is a sum; the server looks for the same ones. */
const SUMS: ReadonlySet<string> = new Set('amount total sum price cost fee usd eur'.split(' '));

/** `amount_due` → Amount due, `iban` → IBAN; the title where the schema has one. */
export function labelOf(name: string, schema: JsonSchema | undefined): string {
  if (schema?.title) return schema.title;
  const text = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim();
  const words = text.split(' ').map((word) => {
    return CAPITALS.has(word.toLowerCase()) ? word.toUpperCase() : word;
  });
  const told = words.join(' ');
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** A sum for reading: with its currency where the schema says one, else `1,133.00`, never rounded. */
export function sumText(value: number | string, schema: JsonSchema | undefined): string {
  const said = formatted(value, schema);
  if (said !== null) return said;
  const exact = Number(Number(value).toFixed(6)); // what adding floats left behind is no amount
  const decimals = String(exact).split('.')[1]?.length ?? 0;
  return exact.toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.min(20, Math.max(2, decimals)),
  });
}

/** A number as it is shown beside text: a sum as one, else as it stands. Null for what is none. */
export function numberText(
  name: string,
  value: Json | undefined,
  schema: JsonSchema | undefined,
): string | null {
  if (typeof value !== 'number') return formatted(value, schema);
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const isSum = schema?.type !== 'integer' && words.some((word) => SUMS.has(word));
  return isSum ? sumText(value, schema) : (formatted(value, schema) ?? String(value));
}

/** A value as its schema says it is read: money with its currency. Null where nothing is said. */
export function formatted(value: Json | undefined, schema: JsonSchema | undefined): string | null {
  const unit = schema?.['x-unit'];
  const isMoney = schema?.format === 'money' || (typeof unit === 'string' && CURRENCY.test(unit));
  if (!isMoney || (typeof value !== 'number' && typeof value !== 'string')) return null;
  const amount = Number(value);
  if (value === '' || !Number.isFinite(amount)) return null;
  const currency = typeof unit === 'string' && CURRENCY.test(unit) ? unit : 'USD';
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}
