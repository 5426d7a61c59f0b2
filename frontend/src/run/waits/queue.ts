/** How many runs come before one that waits for its turn, in words. */
export const beforeIt = (behind: number): string =>
  behind === 0 ? 'next in line' : `${behind.toLocaleString('en')} before it`;

/** Which call of a run waits for its turn, in words; undefined where none does. */
export const callInLine = (waits: readonly string[]): string | undefined =>
  waits.find((each) => each.startsWith('a call of '));
