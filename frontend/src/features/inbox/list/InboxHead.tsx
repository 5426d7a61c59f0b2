import { Button, Pill, SegmentedControl, Select, TextInput, Title } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import {
  type InboxView,
  type InterruptFilter,
  inboxViews,
  narrowing,
} from '../../../api/http/lists.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { usePageTitle } from '../../../ui/page/usePageTitle.ts';
import classes from '../inbox.module.css';
import standing from '../item/item.module.css';
import { FigureNote } from './FigureNote.tsx';
import { labelOf } from '../decide/fieldLook.ts';
import { InboxFilters } from './InboxFilters.tsx';
import { SavedViews } from './SavedViews.tsx';

const views: Record<InboxView, string> = {
  decide: 'For me',
  mine: 'In person',
  groups: 'Groups',
  claimed: 'Claimed',
  asked: 'Asked',
  overdue: 'Overdue',
  snoozed: 'Snoozed',
};
const orders = [
  { value: 'deadline', label: 'Ends first' },
  { value: 'opened', label: 'Oldest first' },
  { value: '-opened', label: 'Newest first' },
  { value: '-amount', label: 'Largest amount' },
  { value: 'amount', label: 'Smallest amount' },
  { value: '-risk', label: 'Highest risk' },
];
const TYPED_MS = 300;

export interface HeadProps {
  filter: InterruptFilter;
  change: (part: Record<string, string | null>) => void;
}
interface InboxHeadProps extends HeadProps {
  total: string;
  rows: readonly Interrupt[];
}

function Views({ filter, change }: HeadProps) {
  return (
    <div className={standing.views} role="group" aria-label="Views">
      {inboxViews.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={filter.view === view}
          onClick={() => change({ view: view === 'decide' ? null : view })}
        >
          {views[view]}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={filter.view === undefined}
        onClick={() => change({ view: 'all' })}
      >
        Everyone’s
      </button>
    </div>
  );
}

/** Words that are looked for once the typing rests. */
function Search({ filter, change }: HeadProps) {
  const [text, setText] = useState(filter.search ?? '');
  const isSaid = text.trim() === (filter.search ?? '');
  useEffect(() => {
    if (isSaid) return undefined;
    const timer = setTimeout(() => change({ search: text.trim() || null }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, isSaid, change]);
  return (
    <TextInput
      size="xs"
      type="search"
      aria-label="Search what is shown"
      placeholder="Search"
      maxLength={200}
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** Open or done, which of them, of what, and in which order. */
export function InboxHead({ filter, change, total, rows }: InboxHeadProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const waiting = filter.state === 'open' && total && total !== '0' ? ` (${total})` : '';
  usePageTitle(`Inbox${waiting}`);
  const active = narrowing.filter((name) => name !== 'search' && filter[name] !== undefined).length;
  return (
    <header className={classes.sideHead}>
      <Title order={1}>
        Inbox{total && total !== '0' ? <span className={classes.total}>{total}</span> : null}
      </Title>
      <SegmentedControl
        fullWidth
        value={filter.state}
        data={[
          { value: 'open', label: 'Open' },
          { value: 'done', label: 'Done' },
        ]}
        aria-label="Open or done"
        onChange={(state) => change({ state: state === 'done' ? 'done' : null, view: null })}
      />
      {filter.state === 'open' ? <Views filter={filter} change={change} /> : null}
      <SavedViews filter={filter} change={change} />
      <div className={classes.find}>
        <Search filter={filter} change={change} />
        {filter.state === 'open' ? (
          <Select
            size="xs"
            aria-label="Order"
            allowDeselect={false}
            data={orders}
            value={filter.ordering ?? 'deadline'}
            onChange={(order) => change({ ordering: order === 'deadline' ? null : order })}
          />
        ) : null}
        <Button
          size="xs"
          variant={active > 0 ? 'light' : 'default'}
          aria-expanded={isUnfolded}
          aria-label={active > 0 ? `Filters, ${active} set` : 'Filters'}
          onClick={() => setUnfolded((before) => !before)}
        >
          <IconFilter size={14} />
          {active > 0 ? ` ${active}` : ''}
        </Button>
      </div>
      <FigureNote filter={filter} change={change} />
      {filter.field ? (
        <Pill
          withRemoveButton
          size="md"
          onRemove={() => change({ field: null })}
          removeButtonProps={{ 'aria-label': 'Show all again' }}
        >
          {labelOf(filter.field.split(':')[0] ?? '', undefined)}:{' '}
          {filter.field.slice(filter.field.indexOf(':') + 1)}
        </Pill>
      ) : null}
      {isUnfolded ? <InboxFilters filter={filter} change={change} rows={rows} /> : null}
    </header>
  );
}
