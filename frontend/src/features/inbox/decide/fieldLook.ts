import type { Json, JsonSchema } from '../../../api/types/types.ts';

const CURRENCY = /^[A-Z]{3}$/;

/** `amount_due` → Amount due; the title where the schema has one. */
export function labelOf(name: string, schema: JsonSchema | undefined): string {
  if (schema?.title) return schema.title;
  const text = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
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
