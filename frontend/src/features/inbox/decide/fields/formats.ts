/** Formats of text that a schema asks for: what fits, and what is told of what does not. */

import type { JsonSchema } from '../../../../api/types/types.ts';

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return (
    year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  );
}

function isMail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && at < text.length - 1 && !/\s/.test(text);
}

interface Format {
  fits: (text: string) => boolean;
  problem: string;
  /** The kind of box that a browser has for it. */
  type?: 'date' | 'email' | 'url';
}

const FORMATS: Record<string, Format> = {
  date: { fits: isDay, problem: 'Write a date such as 2026-12-01.', type: 'date' },
  'date-time': {
    fits: (text) =>
      isDay(text.slice(0, 10)) && /^[T ]$/i.test(text[10] ?? '') && TIME.test(text.slice(11)),
    problem: 'Write a moment such as 2026-12-01T09:30:00Z.',
  },
  email: { fits: isMail, problem: 'Write a mail address such as ann@example.org.', type: 'email' },
  uri: {
    fits: (text) => URL.canParse(text),
    problem: 'Write a web address such as https://example.org/page.',
    type: 'url',
  },
};

const formatOf = ({ format = '' }: JsonSchema): Format | undefined =>
  Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;

/** Why a text does not have the format of its field; null where it has. */
export function formatProblem(schema: JsonSchema, text: string): string | null {
  const format = formatOf(schema);
  return format === undefined || format.fits(text) ? null : format.problem;
}

/** The kind of box for a field; a plain one while something stands in it that another would not show. */
export function boxType(schema: JsonSchema, text: string): 'date' | 'email' | 'url' | 'text' {
  const type = formatOf(schema)?.type ?? 'text';
  return type === 'date' && text !== '' && !isDay(text) ? 'text' : type;
}
