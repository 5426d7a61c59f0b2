import { describe, expect, it } from 'vitest';
import { mergeText } from './textMerge.ts';

const base = 'Check the wages of the applicant and say what is odd.';

describe('a text that two people changed', () => {
  it('has both changes where they stand apart', () => {
    const mine = `${base} Be brief.`;
    const theirs = `Please ${base}`;

    expect(mergeText(base, mine, theirs)).toBe(`Please ${base} Be brief.`);
  });

  it('has several changes of each side', () => {
    expect(
      mergeText(
        'one two three four five six seven eight nine',
        'ONE two three four five SIX seven eight nine',
        'one two THREE four five six seven eight NINE',
      ),
    ).toBeNull();
    expect(
      mergeText(
        'one two three four five six seven eight nine',
        'ONE two three four FIVE six seven eight nine',
        'one two three four five six seven eight',
      ),
    ).toBe('ONE two three four FIVE six seven eight');
  });

  it.each([
    ['the same word', base.replace('wages', 'pay'), base.replace('wages', 'salary')],
    ['words beside each other', base.replace('wages', 'pay'), base.replace('of', 'off')],
    ['the same end', `${base} Mine.`, `${base} Theirs.`],
    ['the whole of it', 'Mine alone', base.replace('wages', 'pay')],
  ])('waits for a choice where both changed %s', (_, mine, theirs) => {
    expect(mergeText(base, mine, theirs)).toBeNull();
  });

  it('does not make one condition out of two', () => {
    const was = "memory.level == 'senior'";

    expect(mergeText(was, "memory.level == 'junior'", "memory.rank == 'senior'")).toBeNull();
  });

  it('is merged at once though it is long', () => {
    const long = 'word after word goes on and on '.repeat(20_000);
    const began = performance.now();

    expect(mergeText(long, `${long}End`, `Begin ${long}`)).toBe(`Begin ${long}End`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
