/** How many runs come before one that waits for its turn, in words. */
export const beforeIt = (behind: number): string =>
  behind === 0 ? 'next in line' : `${behind.toLocaleString('en')} before it`;
