import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { JsonObject, JsonSchema } from '../../../api/types/types.ts';
import { argumentsText, withSums } from './spelled.ts';

interface Case {
  text: string;
  data: JsonObject;
  fields?: Record<string, JsonSchema>;
  read: string;
}

/** What mails read as well: `builder/reads/inbox/sums.py`. */
const cases = JSON.parse(
  readFileSync(new URL('../../../../../tests/fixtures/spelled/sums.json', import.meta.url), 'utf8'),
) as Case[];

it.each(cases)('reads $text as $read', ({ text, data, fields = {}, read }) => {
  expect(withSums(text, { data, edit_schema: { properties: fields } })).toBe(read);
});

it('reads the sums of arguments as those of the item', () => {
  const request = { edit_schema: { properties: { due: { format: 'money', 'x-unit': 'EUR' } } } };

  expect(argumentsText({ amount: 12.5, due: 7.5, items: 3, to: 'Anna' }, request)).toEqual({
    amount: '12.50',
    due: '€7.50',
    items: '3',
    to: 'Anna',
  });
  expect(argumentsText([12.5], request)).toEqual([12.5]);
});

it('shows what would reorder a message, and leaves a number alone that it cannot hold', () => {
  const request = { data: { amount: 9007199254740992 } };

  expect(withSums('Pay $9007199254740993 to a\u202eb', request)).toBe(
    'Pay $9007199254740993 to a⟨U+202E⟩b',
  );
});
