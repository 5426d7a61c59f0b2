/** Settings of tokens and triggers as their own pages call them. */

import { scopeWords } from '../../called/tokens/scopes.ts';
import { wordsOf } from '../../triggers/events/eventWords.ts';
import { cronWords } from '../../triggers/times/pattern.ts';
import { formatExact, formatUsd } from '../../../ui/format/format.ts';
import { answersFor, policies, signatures } from '../../triggers/words.ts';

interface Setting {
  label: string;
  said: (value: string) => string | undefined;
}

const lower = (text: string | undefined) => text && text.charAt(0).toLowerCase() + text.slice(1);

/** A whole number with separators; a text as it stands. */
const counted = (value: string) =>
  /^\d+$/.test(value) ? Number(value).toLocaleString('en') : value;

/** How a limit is called and told, in its unit. */
const limit = (unit: string): Setting => ({
  label: 'at most',
  said: (value) => `at most ${counted(value)} ${unit}`,
});

const SETTINGS: Record<string, Setting> = {
  scopes: { label: 'may', said: (value) => scopeWords(value) ?? undefined },
  expires_at: { label: 'until', said: (value) => formatExact(new Date(value)) },
  max_kib: limit('KiB a call'),
  limit_tokens: limit('tokens'),
  max_tokens: limit('tokens'),
  limit_usd: { label: 'at most', said: (value) => `at most ${formatUsd(value)}` },
  config: { label: 'settings', said: () => undefined },
  cron: { label: 'due', said: cronWords },
  missed: {
    label: 'times missed',
    said: (value) => lower(policies.find((each) => each.value === value)?.label),
  },
  signature: {
    label: 'signed as',
    said: (value) => signatures.find((each) => each.value === value)?.label,
  },
  answer_s: {
    label: 'answers',
    said: (value) => lower(answersFor(Number(value)).find((each) => each.value === value)?.label),
  },
};

/** What a setting is called; undefined for one that is called as it is kept. */
export const settingLabel = (name: string): string | undefined => SETTINGS[name]?.label;

/** What one value of a setting is called; undefined where nothing calls it otherwise than it is kept. */
export const settingWords = (name: string, value: string | number): string | undefined =>
  SETTINGS[name]?.said(String(value));

/** What happened, as the page of triggers says it, within a sentence. */
export const eventWords = (kind: string): string => {
  const said = wordsOf(kind);
  return said === kind ? kind.replace('.', ' ') : said.charAt(0).toLowerCase() + said.slice(1);
};
