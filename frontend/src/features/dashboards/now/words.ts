/** Who the open items of the inbox wait for: `28 open in the inbox, 21 for you, 1 of a test`. */
export function openWords(open: number, mine: number | undefined, tests: number): string {
  const parts = [`${open} open in the inbox`];
  const isAllTests = tests > 0 && tests === open;
  if (open > 0 && !isAllTests && mine !== undefined && mine !== open) parts.push(`${mine} for you`);
  if (tests > 0)
    parts.push(
      isAllTests ? 'all of them tests' : `${tests} of ${tests === 1 ? 'a test' : 'tests'}`,
    );
  return parts.join(', ');
}
