import type { Json, JsonObject, JsonSchema } from '../../../../api/types/types.ts';
import { inexact } from '../../../../run/values/typedNumber.ts';

type FieldSchemas = Readonly<Record<string, JsonSchema>>;
interface Declared {
  state_schema?: JsonSchema | null;
  interface?: { inputs?: JsonSchema } | null;
}

const CURRENCY = /^[A-Z]{3}$/;

/** Words that nobody writes in small letters. */
const CAPITALS: ReadonlySet<string> = new Set(['iban', 'bic', 'vat', 'id', 'url', 'sku', 'cv']);
/** Words in a field's name that say that it is a sum; the server looks for the same ones. */
const SUMS: ReadonlySet<string> = new Set('amount total sum price cost fee usd eur'.split(' '));

const START = 'input.';

/** Whether what is shown under that name was given at the start; nobody edits it. */
export const isStartField = (name: string): boolean => name.startsWith(START);

/** What a workflow says of the fields that items show: those of memory, and Start fields. */
export function schemasOf({ state_schema: memory, interface: door }: Declared): FieldSchemas {
  const start = Object.entries(door?.inputs?.properties ?? {});
  return {
    ...memory?.properties,
    ...Object.fromEntries(start.map(([name, schema]) => [`${START}${name}`, schema])),
  };
}

const PROSE_LENGTH = 140;
const isProse = (value: Json) =>
  typeof value === 'string' && (value.length > PROSE_LENGTH || value.includes('\n'));

/** What an item shows, in its order: facts first, then longer texts. */
export function factsAndProse(
  data: JsonObject,
): [facts: [string, Json][], prose: [string, Json][]] {
  const entries = Object.entries(data);
  return [
    entries.filter(([, value]) => !isProse(value)),
    entries.filter(([, value]) => isProse(value)),
  ];
}

/** `amount_due` → Amount due, `iban` → IBAN; the title where the schema has one. */
export function labelOf(name: string, schema: JsonSchema | undefined): string {
  if (schema?.title) return schema.title;
  const text = name
    .slice(isStartField(name) ? START.length : 0)
    .replace(/[._-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim();
  const words = text.split(' ').map((word) => {
    return CAPITALS.has(word.toLowerCase()) ? word.toUpperCase() : word;
  });
  const told = words.join(' ');
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** The same among other fields: what was given at the start says so where another is called alike. */
export function labelAmong(name: string, all: readonly string[], schemas: FieldSchemas): string {
  const label = labelOf(name, schemas[name]);
  const isAlike = (other: string) => other !== name && labelOf(other, schemas[other]) === label;
  return isStartField(name) && all.some(isAlike) ? `${label} at the start` : label;
}

/** A sum for reading: with its currency where the schema says one, else `1,133.00`, never rounded. */
export function sumText(value: number | string, schema: JsonSchema | undefined): string {
  return formatted(value, schema) ?? plainSum(value, undefined);
}

/** A sum without its currency, for a text that names it itself; as many decimals as that has. */
export function plainSum(value: number | string, schema: JsonSchema | undefined): string {
  const exact = Number(Number(value).toFixed(6)); // what adding floats left behind is no amount
  const decimals = String(exact).split('.')[1]?.length ?? 0;
  const least = currencyDigits(schema);
  return exact.toLocaleString('en', {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.min(20, Math.max(least, decimals)),
  });
}

function currencyDigits(schema: JsonSchema | undefined): number {
  const unit = schema?.['x-unit'];
  if (typeof unit !== 'string' || !CURRENCY.test(unit)) return 2;
  const look = new Intl.NumberFormat('en', { style: 'currency', currency: unit });
  return look.resolvedOptions().minimumFractionDigits ?? 2;
}

/** Whether a number of that name is a sum, where no schema says that it counts. */
export function isSum(name: string, schema: JsonSchema | undefined): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return schema?.type !== 'integer' && words.some((word) => SUMS.has(word));
}

/** A number as it is shown beside text: a sum as one, else as it stands. Null for what is none. */
export function numberText(
  name: string,
  value: Json | undefined,
  schema: JsonSchema | undefined,
): string | null {
  if (typeof value !== 'number') return formatted(value, schema);
  const rounded = inexact(value);
  if (rounded !== null) return rounded;
  return isSum(name, schema) ? sumText(value, schema) : (formatted(value, schema) ?? String(value));
}

/** A fact as people read it: a number, a day, Yes or No, a few short texts; null where it is shown as a value. */
export const factText = (name: string, value: Json | undefined, schema: JsonSchema | undefined) =>
  typeof value === 'boolean'
    ? value
      ? 'Yes'
      : 'No'
    : (dayText(value, schema) ?? fewWords(value) ?? numberText(name, value, schema));

const DAY = /^\d{4}-\d\d-\d\d$/;
const longDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A day with its month by name and its year, where the schema says that it is one. */
function dayText(value: Json | undefined, schema: JsonSchema | undefined): string | null {
  if (schema?.format !== 'date' || typeof value !== 'string' || !DAY.test(value)) return null;
  const at = new Date(`${value}T00:00:00Z`);
  // 31 Feb would be read as a day of March
  return at.toJSON()?.startsWith(value) ? longDay.format(at) : null;
}

/** Nothing that is shown in another way than it is written: no moment, address, id or long text. */
const SHORT = /^[\p{L}\p{N}][\p{L}\p{N} '’._-]{0,29}$/u;
const CODED = /^(?:[0-9a-f-]{20,}|\d{4}-\d\d.*)$/i;
const FEW = 5;

/** A list of a few short texts with commas between, without the numbers of their places. */
function fewWords(value: Json | undefined): string | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > FEW) return null;
  const isShort = (one: Json) => typeof one === 'string' && SHORT.test(one) && !CODED.test(one);
  return value.every(isShort) ? value.join(', ') : null;
}

/** The currency of what is a sum by its schema. */
export function currencyOf(schema: JsonSchema | undefined): string | undefined {
  const unit = schema?.['x-unit'];
  if (typeof unit === 'string' && CURRENCY.test(unit)) return unit;
  return schema?.format === 'money' ? 'USD' : undefined;
}

/** A value as its schema says it is read: money with its currency. Null where nothing is said. */
export function formatted(value: Json | undefined, schema: JsonSchema | undefined): string | null {
  const currency = currencyOf(schema);
  if (currency === undefined || (typeof value !== 'number' && typeof value !== 'string'))
    return null;
  const amount = Number(value);
  if (value === '' || !Number.isFinite(amount)) return null;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}
