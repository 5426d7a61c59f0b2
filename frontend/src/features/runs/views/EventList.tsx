import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { describeEvent } from '../../../run/reading/describe.ts';
import { type RunEvent, keyOf, nodeOf } from '../../../run/fold/events.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import type { PersonOf } from '../../../run/values/people.ts';
import { labelOf, type NodeName } from '../../../run/reading/timeline.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import classes from '../runs.module.css';
import { usePersonOf } from '../usePersonOf.ts';

const PAGE = 300;

function matches(event: RunEvent, search: string, nameOf: NodeName, personOf: PersonOf): boolean {
  const key = keyOf(event) ?? '';
  return `${event.type} ${key} ${labelOf(key, nameOf)} ${describeEvent(event, personOf)}`
    .toLowerCase()
    .includes(search);
}

/** The log, newest last; a click shows the run at that event. */
export function EventList({
  store,
  node,
  nameOf,
}: {
  store: RunStore;
  node: string | null;
  nameOf: NodeName;
}) {
  const events = useStore(store, (state) => state.events);
  const shown = useStore(store, (state) => state.view.seq);
  const personOf = usePersonOf(store);
  const [search, setSearch] = useState('');
  const [count, setCount] = useState(PAGE);
  const found = useMemo(() => {
    const words = search.trim().toLowerCase();
    return events.filter(
      (event) =>
        (node === null || nodeOf(event) === node) &&
        (words === '' || matches(event, words, nameOf, personOf)),
    );
  }, [events, search, node, nameOf, personOf]);
  const start = Date.parse(events[0]?.at ?? '') || 0;
  return (
    <div className={classes.events}>
      <TextInput
        size="xs"
        leftSection={<IconSearch size={14} />}
        placeholder={node ? `Search the events of ${nameOf(node)}` : 'Search the events'}
        aria-label="Search the events"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length > count ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setCount(count + PAGE)}>
          Show earlier ({found.length - count})
        </Button>
      ) : null}
      <ol className={classes.eventList} aria-label="Events">
        {found.slice(-count).map((event) => (
          <li key={event.seq}>
            <button
              type="button"
              className={classes.event}
              aria-current={event.seq === shown || undefined}
              data-later={event.seq > shown || undefined}
              onClick={() => store.getState().scrubTo(event.seq)}
            >
              <span className={classes.eventSeq}>{event.seq}</span>
              <span className={classes.eventAt}>
                +{formatDuration(Date.parse(event.at) - start)}
              </span>
              <span className={classes.eventType}>{event.type}</span>
              <span className={classes.eventNode} title={keyOf(event)}>
                {labelOf(keyOf(event) ?? '', nameOf)}
              </span>
              <span className="gw-truncate" title={describeEvent(event, personOf)}>
                {describeEvent(event, personOf)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {found.length === 0 ? (
        <p className={classes.quiet}>
          {events.length === 0 ? 'Nothing has happened yet.' : 'No event matches.'}
        </p>
      ) : null}
    </div>
  );
}
