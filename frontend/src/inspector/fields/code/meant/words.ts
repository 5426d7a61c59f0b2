import type { Problem, Severity } from '../../../../api/types/types.ts';

/** Something that stands in a text and is wrong. */
export interface MeantWord {
  word: string;
  severity: Severity;
}

/** Lines that are drawn in one text. */
const MOST = 300;

/** What problems mean of the text that they are at, errors first. */
export function wordsOf(problems: readonly Problem[]): MeantWord[] {
  const told = problems.flatMap(({ severity, words }) =>
    (words ?? []).map((word) => ({ word, severity })),
  );
  return told.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

/** Where the words stand in a text now: in its values where it has some, from left to right, none in another. */
export function meantWords(text: string, meant: readonly MeantWord[]) {
  const found: { from: number; to: number; severity: Severity }[] = [];
  for (const { word, severity } of meant) {
    if (word === '') continue;
    for (
      let from = text.indexOf(word);
      from >= 0 && found.length < MOST;
      from = text.indexOf(word, from + word.length)
    ) {
      const to = from + word.length;
      const taken = found.some((other) => from < other.to && other.from < to);
      if (!taken && stands(text, from, to)) found.push({ from, to, severity });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Whether it is a whole word here, and inside of a value where the text is words with values. */
function stands(text: string, from: number, to: number): boolean {
  const joins = (at: number) => /\w/.test(text.charAt(at)) && /[\w.]/.test(text.charAt(at - 1));
  const goesOn = /\w/.test(text.charAt(to - 1)) && /\w/.test(text.charAt(to));
  if (goesOn || (joins(from) && !text.startsWith('$.', from - 2))) return false;
  if (!text.includes('{{') || text.startsWith('{{', from)) return true;
  return text.lastIndexOf('{{', from) > text.lastIndexOf('}}', from);
}
