import { expect, it } from 'vitest';
import { formatUntil } from './format.ts';

it('says a moment to come by its clock today, by its day later, by its year in another year', () => {
  const now = new Date(2026, 10, 23, 9, 0);

  expect(formatUntil(new Date(2026, 10, 23, 14, 5), now)).toBe('14:05');
  expect(formatUntil(new Date(2026, 10, 30, 0, 36), now)).toBe('30 Nov 00:36');
  expect(formatUntil(new Date(2027, 0, 2, 9, 0), now)).toBe('2 Jan 2027 09:00');
});
