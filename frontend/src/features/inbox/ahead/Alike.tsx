import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Interrupt, JsonSchema } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { formatDuration } from '../../../ui/format/format.ts';
import { visible } from '../../../run/values/visible.ts';
import { labelOf, sumText } from '../decide/fields/fieldLook.ts';
import { withSums } from '../sums/spelled.ts';
import { besideWords, endedText, leadOf, personName } from '../names.ts';
import classes from './ahead.module.css';
import { amountSchema, differenceText, summaryText } from './alikeWords.ts';
import { type AlikeItem, useAlike } from './queries.ts';

interface AlikeProps {
  item: Interrupt;
  schemas: Readonly<Record<string, JsonSchema>>;
}

/** What the item is like: what its run was decided before, how its step was lately, and what else is about the same. */
export function Alike({ item, schemas }: AlikeProps) {
  const { data } = useAlike(item);
  if (!data || data.count + data.others.length + data.earlier.length === 0) return null;
  const schema = amountSchema(item, schemas);
  const money = (value: number) => sumText(value, schema);
  const read = (title: string, amount: number | null) =>
    withSums(title, { data: { amount }, edit_schema: { properties: { amount: schema ?? {} } } });
  return (
    <section className={classes.alike} aria-label="What it is like">
      {data.earlier.length > 0 ? (
        <>
          <h3>Earlier in this run</h3>
          <Items
            items={data.earlier.map(untold)}
            money={money}
            read={read}
            label="Decided before"
          />
        </>
      ) : null}
      {data.count + data.others.length > 0 ? <h3>Like this one</h3> : null}
      {data.count > 0 ? (
        <>
          <p>{[summaryText(data, money), differenceText(data, money)].filter(Boolean).join(' ')}</p>
          <Items items={data.last} money={money} read={read} label="Decided last" />
        </>
      ) : null}
      {data.others.map((other) => (
        <div key={other.field}>
          <p>
            <Anchor
              component={Link}
              inherit
              underline="always"
              to={`/inbox?view=all&field=${encodeURIComponent(`${other.field}:${other.value}`)}`}
            >
              {other.count === 50 ? '50 or more' : other.count} more with{' '}
              {labelOf(other.field, schemas[other.field]).toLowerCase()}{' '}
              <bdi>{visible(other.value)}</bdi>
            </Anchor>
          </p>
          <Items
            items={other.items}
            money={money}
            read={read}
            label={`With ${other.value}`}
            all={other.value}
          />
        </div>
      ))}
    </section>
  );
}

/** An item that is told by its title alone: sums and title of the run are those of all that it asked. */
const untold = (one: AlikeItem): AlikeItem => ({ ...one, amount: null, run_title: '' });

/** What one is called in a list, with what its run started with where neither that nor `all` say so. */
function calledIn({ run_title: runTitle }: AlikeItem, name: string, all: string): string {
  const about = besideWords(runTitle, `${name} ${all}`);
  return about ? `${leadOf(name)} · ${about}` : name;
}

const SAID: Record<string, string> = { approved: 'approved', rejected: 'rejected' };

/** How one was closed, to go on from what it is about: `run cancelled by Ada`. */
function closedBy({ decision, by, ended }: AlikeItem): string {
  const told = endedText(ended);
  if (told !== null) return told.charAt(0).toLowerCase() + told.slice(1);
  const said = SAID[decision ?? ''];
  return said === undefined ? 'not decided' : `${said} by ${personName(by, 'nobody')}`;
}

function Items({
  items,
  money,
  read,
  label,
  all = '',
}: {
  items: readonly AlikeItem[];
  money: (value: number) => string;
  /** A title as it is read, with the sum that the item is about. */
  read: (title: string, amount: number | null) => string;
  label: string;
  /** What is said of all of them. */
  all?: string;
}) {
  return (
    <ul aria-label={label}>
      {items.map((one) => (
        <li key={one.request_id}>
          <Anchor
            component={Link}
            inherit
            underline="always"
            to={`/inbox/${one.request_id}`}
            title={read(one.title, one.amount)}
          >
            {calledIn(one, one.amount === null ? visible(one.title) : money(one.amount), all)}
          </Anchor>{' '}
          {one.status === 'open' ? (
            <span>
              still open, asked <RelativeTime at={one.opened_at} />
            </span>
          ) : (
            <span>
              {closedBy(one)}
              {one.took_ms === null ? '' : ` after ${formatDuration(one.took_ms)}`}
              {one.at ? ', ' : null}
              {one.at ? <RelativeTime at={one.at} /> : null}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
