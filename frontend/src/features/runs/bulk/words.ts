/** How many runs, in words: `1 run`, `48 runs`. */
export const countedRuns = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'run' : 'runs'}`;
