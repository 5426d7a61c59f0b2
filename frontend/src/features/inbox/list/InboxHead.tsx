import { Button, Pill, SegmentedControl, Select, TextInput, Title } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Action, useActions } from '../../../actions/registry.ts';
import { type InterruptFilter, narrowing } from '../../../api/http/lists.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { usePageTitle } from '../../../ui/page/usePageTitle.ts';
import { useSaidText } from '../../../ui/page/useSaidText.ts';
import classes from '../inbox.module.css';
import { FieldPills } from './byField/FieldPills.tsx';
import { FigureNote } from './FigureNote.tsx';
import { labelOf } from '../decide/fields/fieldLook.ts';
import { goToList } from '../parts/parts.ts';
import { InboxFilters } from './InboxFilters.tsx';
import { useChangedView } from './views/changedView.ts';
import { SavedViews, SaveView } from './views/SavedViews.tsx';
import { Views } from './views/Views.tsx';

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
  /** How many of what the person decided are about to be sent. */
  sending: number;
  rows: readonly Interrupt[];
  /** Whether `rows` are all there are. */
  isWhole: boolean;
}

/** Words that are looked for once the typing rests. */
function Search({ filter, change }: HeadProps) {
  const said = filter.search ?? '';
  const [text, setText, sent] = useSaidText(said);
  const isSaid = text.trim() === said;
  useEffect(() => {
    if (isSaid) return undefined;
    const timer = setTimeout(() => {
      sent(text.trim());
      change({ search: text.trim() || null });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, isSaid, sent, change]);
  const field = useRef<HTMLInputElement>(null);
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: 'inbox.search',
          label: 'Search the list',
          group: 'Inbox',
          keys: ['/'],
          run: () => field.current?.select(),
        },
      ],
      [],
    ),
  );
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label="Search what is shown"
      placeholder="Search"
      maxLength={200}
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        const { key, currentTarget } = event;
        // The keys are the list's again, after this one: with what was found, or with all of it.
        if (key === 'Enter') event.preventDefault();
        if (key === 'Enter' && !isSaid) {
          sent(text.trim());
          change({ search: text.trim() || null });
        }
        if (key === 'Escape') {
          setText('');
          if (filter.search) change({ search: null });
        }
        if (key === 'Enter' || key === 'Escape') currentTarget.blur();
      }}
    />
  );
}

/** ` · 2 tests` of what is listed: they are no work, and the badge leaves them out. With `+` where not all is listed yet. */
function testsText(rows: readonly Interrupt[], isWhole: boolean): string {
  const tests = rows.filter((item) => item.run.is_test).length;
  if (tests === 0) return '';
  return ` · ${tests}${isWhole ? '' : '+'} ${tests === 1 && isWhole ? 'test' : 'tests'}`;
}

/** Whether a filter counts as one on the button: the search is in sight, a kind is chosen with its type. */
const isCounted = (name: string): boolean => name !== 'search' && name !== 'approval_type';

/** Open or done, which of them, of what, and in which order. */
export function InboxHead({ filter, change, total, sending, rows, isWhole }: InboxHeadProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const { changed, leave } = useChangedView(filter);
  const waiting = filter.state === 'open' && total && total !== '0' ? ` (${total})` : '';
  usePageTitle(`Inbox${waiting}`);
  const active = narrowing.filter((name) => isCounted(name) && filter[name] !== undefined).length;
  return (
    <header className={classes.sideHead}>
      <div className={classes.headTop}>
        <Title order={1}>
          Inbox
          <span className={classes.total}>
            {total && (total !== '0' || sending > 0) ? total : null}
            {testsText(rows, isWhole)}
            {sending > 0 ? <i> {sending} sending</i> : null}
          </span>
        </Title>
        <SegmentedControl
          value={filter.state}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'done', label: 'Done' },
          ]}
          aria-label="Open or done"
          onChange={(state) => {
            leave();
            change({ state: state === 'done' ? 'done' : null, view: null, decided_by: null });
          }}
        />
      </div>
      {filter.state === 'open' ? <Views filter={filter} change={change} leave={leave} /> : null}
      <SavedViews filter={filter} change={change} changed={changed} />
      <div className={classes.find}>
        <Search filter={filter} change={change} />
        {filter.state === 'open' ? (
          <Select
            size="xs"
            aria-label="Order"
            className={classes.order}
            allowDeselect={false}
            data={orders}
            value={filter.ordering ?? 'deadline'}
            onChange={(order) => change({ ordering: order === 'deadline' ? null : order })}
            onOptionSubmit={() => requestAnimationFrame(goToList)}
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
        <SaveView filter={filter} />
        {filter.state === 'done' && rows.length > 0 ? (
          <CsvButton
            path="interrupts"
            query={{ ...filter }}
            size="xs"
            title="What is listed, with who decided, why, and what they changed"
          />
        ) : null}
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
      <FieldPills filter={filter} change={change} />
      {isUnfolded ? <InboxFilters filter={filter} change={change} rows={rows} /> : null}
    </header>
  );
}
