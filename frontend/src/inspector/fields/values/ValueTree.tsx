import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { valuesQuery } from '../../../api/http/runs/valuesQuery.ts';
import type { NameInfo } from '../../../graph/schema/names.ts';
import { type Evaluating, useForm } from '../../form/context.ts';
import { type KnownValue, withKnown } from './known.ts';
import type { Fit, Offer } from './offers.ts';
import { ValueRow } from './ValueRow.tsx';
import classes from './values.module.css';

interface ValueTreeProps {
  names: readonly NameInfo[];
  fit: Fit;
  onPick: (info: KnownValue, offer?: Offer) => void;
  onDrag: (dragged: boolean) => void;
}

/** Values by where they come from, in the order of the names. */
function grouped(names: readonly KnownValue[]): [string, KnownValue[]][] {
  const groups = new Map<string, KnownValue[]>();
  for (const info of names) {
    const from = info.from ?? 'Values';
    groups.set(from, [...(groups.get(from) ?? []), info]);
  }
  return [...groups];
}

/** Up and Down walk the rows, the search included. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  event.preventDefault();
  stops[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1))]?.focus();
}

const nowhere: Evaluating = {
  graph: '',
  name: '',
  input: undefined,
  run: null,
  stands: null,
  revision: 0,
};

/** What can be read here, found by typing: each value with its type, who wrote it and what it was last. */
export function ValueTree({ names, fit, onPick, onDrag }: ValueTreeProps) {
  const { evaluating, at } = useForm();
  const { data } = useQuery({
    ...valuesQuery(evaluating ?? nowhere, at),
    enabled: evaluating !== null,
  });
  const [search, setSearch] = useState('');
  const word = search.trim().toLowerCase();
  const found = withKnown(names, data, evaluating?.input).filter((info) =>
    `${info.name} ${info.grant ?? ''} ${info.detail}`.toLowerCase().includes(word),
  );
  const [first] = found;
  return (
    <div onKeyDown={walk} data-known={data !== undefined}>
      <TextInput
        size="xs"
        data-autofocus
        aria-label="Search values"
        placeholder="Search values"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && first && onPick(first)}
      />
      <div className={classes.values}>
        {grouped(found).map(([from, infos]) => (
          <section key={from} aria-label={from}>
            <h3 className={classes.from}>{from}</h3>
            {infos.map((info) => (
              <ValueRow key={info.name} info={info} fit={fit} onPick={onPick} onDrag={onDrag} />
            ))}
          </section>
        ))}
        {found.length === 0 ? <p className={classes.none}>No value by that name</p> : null}
      </div>
    </div>
  );
}
