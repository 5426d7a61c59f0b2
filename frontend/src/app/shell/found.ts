import type { SpotlightActionData, SpotlightFilterFunction } from '@mantine/spotlight';
import type { Found } from '../../api/http/search.ts';

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

/** Actions of this page with every word that is typed, after what the server found. */
export const matching: SpotlightFilterFunction = (query, actions) => {
  const words = wordsOf(query);
  const fits = (action: SpotlightActionData) =>
    action.id.startsWith(FOUND) || words.every((word) => textOf(action).includes(word));
  return actions
    .map((entry) =>
      'actions' in entry ? { ...entry, actions: entry.actions.filter(fits) } : entry,
    )
    .filter((entry) => ('actions' in entry ? entry.actions.length > 0 : fits(entry)));
};
