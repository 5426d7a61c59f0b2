import { expect, it } from 'vitest';
import { figureWords } from './FigureNote.tsx';

it('says whom a figure counts by their names', () => {
  const nameOf = (id: string) => (id === 'u1' ? 'Ann' : 'one person');
  const words = (counted: Record<string, string>) =>
    figureWords({ state: 'open', ...counted }, nameOf);

  expect(words({ review: 'quick', reviewer: 'u1' })).toBe('approved within 3 seconds, by Ann');
  expect(words({ named: 'user:u1' })).toBe('that ask Ann');
  expect(words({ named: 'group:a:b' })).toBe('that ask the group a:b');
  expect(words({ named: 'role:reviewer' })).toBe('that ask every reviewer');
  expect(words({ named: 'anyone' })).toBe('that name nobody');
  expect(words({})).toBe('');
});
