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
const limit = (unit: string, rest = ''): Setting => ({
  label: 'at most',
  said: (value) =>
    `at most ${counted(value)} ${unit}${unit === 'token' && value !== '1' ? 's' : ''}${rest}`,
});

/** Money as it is kept: digits, and no more of them than a sum has. */
const SUM = /^-?\d{1,15}(?:\.\d{1,12})?$/;

/** A moment for reading; undefined for what is none. */
function momentText(value: string): string | undefined {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : formatExact(at);
}

const SETTINGS: Record<string, Setting> = {
  scopes: { label: 'may', said: (value) => scopeWords(value) ?? undefined },
  expires_at: { label: 'until', said: momentText },
  max_kib: limit('KiB', ' a call'),
  limit_tokens: limit('token'),
  max_tokens: limit('token'),
  limit_usd: {
    label: 'at most',
    said: (value) => (SUM.test(value) ? `at most ${formatUsd(value)}` : undefined),
  },
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

const settingOf = (name: string): Setting | undefined =>
  Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;

/** What a setting is called; undefined for one that is called as it is kept. */
export const settingLabel = (name: string): string | undefined => settingOf(name)?.label;

/** What one value of a setting is called; undefined where nothing calls it otherwise than it is kept. */
export const settingWords = (name: string, value: string | number): string | undefined =>
  settingOf(name)?.said(String(value));

/** What happened, as the page of triggers says it, within a sentence. */
export const eventWords = (kind: string): string => {
  const said = wordsOf(kind);
  return said === kind ? kind.replace('.', ' ') : said.charAt(0).toLowerCase() + said.slice(1);
};
