import { expect, it } from 'vitest';
import { boxed, inexact, plainNumber, readAs, readNumber, signOf } from './typedNumber.ts';

it.each([
  ['1,200', '1200'],
  ['$1,200', '1200'],
  ['1,087.06', '1087.06'],
  ['$1,087.06', '1087.06'],
  [' 1087.06 ', '1087.06'],
  ['USD 1,087.06', '1087.06'],
  ['1,087.06 USD', '1087.06'],
  ['-$5', '-5'],
  ['$-5', '-5'],
  ['0.125', '0.125'],
  ['.5', '0.5'],
  ['-0', '0'],
  ['007.50', '7.5'],
  ['12,345,678', '12345678'],
  ['9007199254740991', '9007199254740991'],
  ['100000000000000000000000', '100000000000000000000000'],
])('reads %s as %s', (typed, text) => {
  expect(readNumber(typed, { unit: 'USD' })).toEqual({ text, value: Number(text) });
});

const MARKS = 'A comma stands between thousands, a point before decimals.';
it.each([
  ['1,20', `${MARKS} Did you mean 1.20?`],
  ['12,5', `${MARKS} Did you mean 12.5?`],
  ['1.200,50', `${MARKS} Did you mean 1,200.50?`],
  ['1,2,3', `${MARKS} Write a number such as 1,087.06.`],
  ['12,34,567', `${MARKS} Write a number such as 1,087.06.`],
  ['1e3', 'Write the number out, such as 1,000.'],
  ['12,5x', 'Write a number such as 1,087.06.'],
  ['twelve', 'Write a number such as 1,087.06.'],
  ['1 200', 'Write a number such as 1,087.06.'],
  ['5.', 'Write a number such as 1,087.06.'],
  ['1.2.3', 'Write a number such as 1,087.06.'],
  ['--5', 'Write a number such as 1,087.06.'],
  ['0x10', 'Write a number such as 1,087.06.'],
  ['Infinity', 'Write a number such as 1,087.06.'],
  ['$', 'Write a number such as 1,087.06.'],
  ['€5', 'This sum is in USD: write it without €.'],
  ['5 EUR', 'This sum is in USD: write it without EUR.'],
  ['9007199254740993', 'This has more digits than can be kept exactly. Write at most 15.'],
  ['0.1234567890123456789', 'This has more digits than can be kept exactly. Write at most 15.'],
  ['9'.repeat(100_000), 'This has more digits than can be kept.'],
])('refuses %.20s', (typed, problem) => {
  expect(readNumber(typed, { unit: 'USD' })).toEqual({ problem });
});

it('takes whole numbers without a fraction only', () => {
  expect(readNumber('1,200', { isWhole: true })).toEqual({ text: '1200', value: 1200 });
  expect(readNumber('1.5', { isWhole: true })).toEqual({ problem: 'This must be a whole number.' });
});

it.each([0, -1.5, 1e21, 1e23, 1e-7, -2.5e-9, 1.7976931348623157e308, 123.456])(
  'writes %s out so that it is read as the same',
  (value) => {
    expect(plainNumber(value)).not.toContain('e');
    expect(Number(plainNumber(value))).toBe(value);
  },
);

it('tells how it is read, to the last digit', () => {
  expect(readAs('1087.06', 'USD')).toBe('$1,087.06');
  expect(readAs('1.125', 'USD')).toBe('$1.125');
  expect(readAs('1200', 'JPY')).toBe('¥1,200');
  expect(readAs('1234567.5', undefined)).toBe('1,234,567.5');
  expect(readAs('9007199254740991', undefined)).toBe('9,007,199,254,740,991');
  expect([signOf('USD'), signOf('EUR'), signOf('CHF'), signOf(undefined)]).toEqual([
    '$',
    '€',
    'CHF',
    '',
  ]);
});

it('says of a whole number that a browser cannot hold that it is rounded', () => {
  expect(inexact(9007199254740992)).toMatch(/^about 9,007,199,254,740,992 \(rounded/);
  expect([inexact(9007199254740991), inexact(1.5)]).toEqual([null, null]);
});

it('marks in any order are refused, and never asked about for ever', () => {
  for (const text of [
    '1.2,3,4',
    '1,2.3.4',
    ',.',
    '.,',
    '1,,2',
    '-1.2,3,4',
    `${'1,'.repeat(190)}1.`,
  ])
    expect(readNumber(text), text).toHaveProperty('problem');
  expect(readNumber(`${'x'.repeat(399)}-`)).toHaveProperty('problem');
  expect(readNumber('$-5', { unit: 'USD' })).toEqual({ value: -5, text: '-5' });
  expect(readNumber('-$5', { unit: 'USD' })).toEqual({ value: -5, text: '-5' });
});

it.each([
  ['1.200', 'Write 1,200 or 1.20.'],
  ['$12.000', 'Write 12,000 or 12.00.'],
  ['-123.456', 'Write -123,456 or -123.4560.'],
])('asks which of two numbers %s is', (typed, cure) => {
  const problem = `This can be read in two ways. ${cure}`;
  expect(readNumber(typed, { unit: 'USD' })).toEqual({ problem });
});

it('asks whether a point stands for thousands where no decimals can be', () => {
  const problem = 'A comma stands between thousands. Did you mean 1,200?';
  expect(readNumber('1.200', { isWhole: true })).toEqual({ problem });
});

it.each(['0.125', '1.2000', '1234.500', '1,234.500', '1.20', '1.1250'])(
  'takes %s, which is one number only',
  (typed) => {
    expect(readNumber(typed)).toHaveProperty('value');
  },
);

it('takes three decimals of a currency that has so many', () => {
  expect(readNumber('1.200', { unit: 'KWD' })).toEqual({ text: '1.2', value: 1.2 });
});

it.each([1.125, -12.345, 0.125, 1234.567, 7])('reads %s as it is put into a box', (value) => {
  expect(readNumber(boxed(plainNumber(value)))).toHaveProperty('value', value);
});
