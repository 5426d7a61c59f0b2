import { expect, it } from 'vitest';
import { boxType, formatProblem } from './formats.ts';

it.each([
  ['date', '2026-12-01', true],
  ['date', '2028-02-29', true],
  ['date', '2026-02-30', false],
  ['date', 'tomorrow', false],
  ['date-time', '2026-12-01T09:30:00Z', true],
  ['date-time', '2026-12-01T09:30:00.5+02:00', true],
  ['date-time', '2026-12-01', false],
  ['email', 'ann@example.org', true],
  ['email', 'ann', false],
  ['uri', 'https://example.org/page', true],
  ['uri', 'example', false],
  ['money', 'anything', true],
  ['constructor', 'anything', true],
])('%s %s fits: %s', (format, text, fits) => {
  expect(formatProblem({ format }, text) === null).toBe(fits);
});

it('has a box for dates only where it shows what stands there', () => {
  expect(boxType({ format: 'date' }, '')).toBe('date');
  expect(boxType({ format: 'date' }, '2026-12-01')).toBe('date');
  expect(boxType({ format: 'date' }, 'tomorrow')).toBe('text');
  expect(boxType({}, 'x')).toBe('text');
});
