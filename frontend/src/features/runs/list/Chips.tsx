import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { workersQuery } from '../../../api/http/boards.ts';
import { causeQuery } from '../../../api/http/runs/causes.ts';
import { membersQuery } from '../../../api/http/lists.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { RunStatus } from '../../../api/types/types.ts';
import { modelName } from '../../../ui/format/modelName.ts';
import { processName } from '../../../api/http/boards.ts';
import { statusLook } from '../../../ui/status.ts';
import classes from './list.module.css';
import type { ChoiceChange, RunChoice } from './runChoice.ts';

/** What runs may wait for, in words. */
export const waitWords: Record<string, string> = {
  approval: 'an approval',
  text: 'an answer',
  choice: 'a choice',
  'multi-choice': 'a choice of several',
  form: 'a form',
  budget: 'money',
  in_doubt: 'a word on a call in doubt',
  retry: 'another try',
  sleep: 'a timer',
  child_run: 'a child run',
  call: 'its turn, or money, to call a model',
  turn: 'their turn',
  stuck: 'nothing: they stand still',
};

/** What starts runs, in words. */
const sourceWords: Record<string, string> = {
  person: 'people',
  api: 'programs',
  chat: 'chats',
  openai: 'OpenAI clients',
  mcp: 'MCP clients',
  webhook: 'webhooks',
  schedule: 'schedules',
  event: 'events',
  bulk: 'bulk retries',
  '-': 'other runs, or it is not noted',
};

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY_MS = 86_400_000;

function stretch(verb: string, since?: string, until?: string): string {
  if (since && until) {
    const [from, to] = [new Date(since), new Date(until)];
    const short = to.getTime() - from.getTime() < DAY_MS ? clock : moment;
    return `${verb} ${moment.format(from)} to ${short.format(to)}`;
  }
  if (since) return `${verb} since ${moment.format(new Date(since))}`;
  return `${verb} before ${moment.format(new Date(until ?? ''))}`;
}

const NONE = '-';

/** Which calls of models cost something, in words. */
function callWords(choice: RunChoice, model: string | undefined): string {
  const { spent_since: first, spent_until: last } = choice;
  if (!first && !last && !choice.spent_at && !choice.spent_on && !choice.spent_by)
    return choice.unpriced ? 'Called a model without a price' : '';
  const named = (word: string, text: string | undefined) =>
    text === undefined ? '' : text === NONE ? ` without ${word}` : ` ${word} ${text}`;
  const days = first && last ? ` from ${first} to ${last}` : '';
  const price = choice.unpriced ? ' without a price' : '';
  return `Called a model${price}${named('at', choice.spent_at)}${named('model', model)}${named('by', choice.spent_by)}${first === last && first ? ` on ${first}` : days}`;
}

interface Chip {
  text: string;
  off: ChoiceChange;
}

/** Which process has the runs in hand, in words. */
function handWords(worker: string, process: string): string {
  if (worker === NONE) return 'In nobody’s hand: they wait for a person or a time';
  return worker === 'any' ? 'In hand of a process' : `In hand of ${process}`;
}

interface Names {
  cause: string;
  person: string;
  process: string;
  model: string | undefined;
}

function chipsOf(choice: RunChoice, { cause, person, process, model }: Names): Chip[] {
  const chips: Chip[] = [];
  const add = (text: string, ...names: (keyof ChoiceChange)[]) =>
    chips.push({ text, off: Object.fromEntries(names.map((name) => [name, null])) });
  if (choice.status?.includes(','))
    add(
      choice.status
        .split(',')
        .map((each) => statusLook(each as RunStatus).label)
        .join(' or '),
      'status',
    );
  if (choice.since ?? choice.until)
    add(stretch('Started', choice.since, choice.until), 'since', 'until');
  if (choice.ended_since ?? choice.ended_until)
    add(stretch('Ended', choice.ended_since, choice.ended_until), 'ended_since', 'ended_until');
  if (choice.cause) add(`Failed: ${cause}`, 'cause');
  if (choice.node) add(`Failed at ${choice.node}`, 'node');
  if (choice.person) add(`Started by ${choice.person === NONE ? 'nobody' : person}`, 'person');
  if (choice.waiting) add(`Waits for ${waitWords[choice.waiting] ?? choice.waiting}`, 'waiting');
  if (choice.job) add('Made by one bulk retry', 'job');
  if (choice.spent) add('Cost something', 'spent');
  if (choice.slug) add(`Of the workflow ${choice.slug}`, 'slug');
  if (choice.code) add('Failed as the other side was not available', 'code');
  if (choice.tag) add(`Tag ${choice.tag}`, 'tag');
  if (choice.source) add(`Started by ${sourceWords[choice.source] ?? choice.source}`, 'source');
  if (choice.trigger) add('Started by one trigger', 'trigger');
  if (choice.worker) add(handWords(choice.worker, process), 'worker');
  if (choice.tests)
    add(choice.tests === 'true' ? 'Tests of a draft' : 'No tests of drafts', 'tests');
  if (choice.tried) add('An attempt failed', 'tried');
  if (choice.awake && choice.status !== 'running') add('Not waiting for a time', 'awake');
  const calls = callWords(choice, model);
  if (calls)
    add(calls, 'spent_since', 'spent_until', 'spent_at', 'spent_on', 'spent_by', 'unpriced');
  return chips;
}

/** What narrows the list beside the fields above it; each can be taken away. */
export function Chips({
  choice,
  change,
}: {
  choice: RunChoice;
  change: (part: ChoiceChange) => void;
}) {
  const cause = useQuery({ ...causeQuery(choice.cause ?? ''), enabled: Boolean(choice.cause) });
  const members = useQuery({ ...membersQuery, enabled: Boolean(choice.person) });
  const person = members.data?.find(({ user }) => user.id === choice.person)?.user.name;
  const models = useQuery({ ...modelsQuery, enabled: Boolean(choice.spent_on) });
  const model = choice.spent_on && modelName(choice.spent_on, models.data?.models);
  const workers = useQuery({ ...workersQuery, enabled: Boolean(choice.worker) });
  const worker = workers.data?.results.find(({ id }) => id === choice.worker);
  const chips = chipsOf(choice, {
    cause: cause.data?.title ?? 'of one cause',
    person: person ?? 'one person',
    process: worker ? processName(worker) : 'one process',
    model,
  });
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Narrowed to">
      {chips.map((chip) => (
        <li key={chip.text}>
          <span className="gw-truncate">{chip.text}</span>
          <CloseButton
            size="sm"
            aria-label={`Without: ${chip.text}`}
            onClick={() => change(chip.off)}
          />
        </li>
      ))}
    </ul>
  );
}
