import type {
  SpotlightActionData,
  SpotlightActionGroupData,
  SpotlightFilterFunction,
} from '@mantine/spotlight';
import type { Found } from '../../../api/http/search.ts';

/** How the ids of rows begin that the server found: they match, whatever is typed. */
const FOUND = 'found.';
export const foundId = ({ kind, id }: Found): string => `${FOUND}${kind}.${id}`;

const PLACES: Record<Found['kind'], (id: string) => string> = {
  run: (id) => `/runs/${id}`,
  item: (id) => `/inbox/${id}?view=all`,
  workflow: (id) => `/workflows/${id}`,
  folder: (id) => `/workflows?folder=${encodeURIComponent(id)}`,
  agent: () => '/settings/agents',
  person: () => '/settings/members',
};
export const placeOf = ({ kind, id }: Found): string => PLACES[kind](id);

export const kindNames: Record<Found['kind'], string> = {
  item: 'Inbox',
  workflow: 'Workflows',
  folder: 'Folders',
  run: 'Runs',
  agent: 'Agents',
  person: 'People',
};

/** What stands before a word within a name. */
const BEFORE_WORD = [' ', '-', '/', '(', '_', '.'];

const textOf = ({ label = '', description = '', keywords = '' }: SpotlightActionData) =>
  [label, description, ...(Array.isArray(keywords) ? keywords : [keywords])]
    .join(' ')
    .toLowerCase();

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/u).filter(Boolean);

/** Of what was found by fewer letters, what says all the words typed by now: Enter opens no other. */
export const stillMeant = (query: string, found: readonly Found[]): Found[] =>
  found.filter(({ title, note }) => {
    const said = `${title} ${note}`.toLowerCase();
    return wordsOf(query).every((word) => said.includes(word));
  });

/** How well a row is meant: its name is what is typed, begins with what is typed, a word of it does, it has it, it does not. */
function rankOf({ label = '' }: SpotlightActionData, query: string): number {
  const [name, typed] = [label.toLowerCase(), query.trim().toLowerCase()];
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (BEFORE_WORD.some((sign) => name.includes(sign + typed))) return 2;
  return wordsOf(query).every((word) => name.includes(word)) ? 3 : 4;
}

const best = (rows: readonly SpotlightActionData[], query: string): number =>
  Math.min(...rows.map((row) => rankOf(row, query)));

/** Each thing once, the first of those that are called alike: a page, and the action that goes there. */
export function eachOnce<Row extends { label: string }>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ label }) => {
    const name = label
      .replace(/^go to /iu, '')
      .trim()
      .toLowerCase();
    return !seen.has(name) && seen.add(name);
  });
}

/** Rows under one name stand together: a page and the server may both have such. */
export function inGroups(groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  const found = new Map<string, SpotlightActionData[]>();
  for (const { group, actions } of groups) {
    found.set(group, [...(found.get(group) ?? []), ...actions]);
  }
  return [...found].map(([group, actions]) => ({ group, actions }));
}

/** What the server found and actions of this page with every word that is typed, the best first. */
export const matching: SpotlightFilterFunction = (query, actions) => {
  const words = wordsOf(query);
  const fits = (action: SpotlightActionData) =>
    action.id.startsWith(FOUND) || words.every((word) => textOf(action).includes(word));
  const groups = actions
    .flatMap((entry) =>
      'actions' in entry ? [{ ...entry, actions: entry.actions.filter(fits) }] : [],
    )
    .filter((entry) => entry.actions.length > 0);
  if (words.length === 0) return groups;
  return groups
    .map((entry) => ({
      ...entry,
      actions: entry.actions.toSorted((a, b) => rankOf(a, query) - rankOf(b, query)),
    }))
    .toSorted((a, b) => best(a.actions, query) - best(b.actions, query));
};
