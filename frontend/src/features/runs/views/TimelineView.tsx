import { Button, Tooltip } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { SegmentKind } from '../../../run/fold/model.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import {
  kindsIn,
  labelParts,
  type NodeName,
  type Row,
  timelineOf,
} from '../../../run/reading/timeline.ts';
import { formatDuration, formatUntil } from '../../../ui/format/format.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import classes from '../runs.module.css';

const KIND_WORD: Record<SegmentKind, string> = {
  queued: 'queued',
  attempt: 'working',
  backoff: 'waits to try again',
  person: 'waits for a person',
  children: 'waits for children',
  timer: 'sleeps',
  run: 'waits for a child run',
  in_doubt: 'in doubt',
};
const FIRST_ROWS = 200;

interface TimelineViewProps {
  store: RunStore;
  now: number;
  nameOf: NodeName;
  selected: string | null;
  onSelect: (key: string) => void;
}

/** One row an activation, attempts and waits apart; the line is the moment that is shown. */
export function TimelineView({ store, now, nameOf, selected, onSelect }: TimelineViewProps) {
  const head = useStore(store, (state) => state.head);
  const shownAt = useStore(store, (state) => (state.scrub === null ? null : state.view.at));
  const [all, setAll] = useState(false);
  const timeline = useMemo(() => timelineOf(head, now), [head, now]);
  const rows = all ? timeline.rows : timeline.rows.slice(0, FIRST_ROWS);
  const kinds = kindsIn(rows);
  return (
    <div className={classes.timeline}>
      <div className={classes.timelineAxis}>
        <span className={classes.legend}>
          {kinds.map((kind) => (
            <span key={kind}>
              <i className={classes.swatch} data-kind={kind} />
              {KIND_WORD[kind]}
            </span>
          ))}
        </span>
        <span className="gw-num">{formatDuration(timeline.to - timeline.from)}</span>
      </div>
      <div className={classes.timelineRows}>
        {rows.map((row) => (
          <TimelineRow
            key={row.key}
            row={row}
            label={labelParts(row.key, nameOf)}
            current={row.key === selected}
            onSelect={onSelect}
          />
        ))}
        <div className={classes.lane} aria-hidden>
          {timeline.short.map((gap) => (
            <span
              key={gap.start}
              className={classes.gap}
              style={{ left: `${gap.start * 100}%`, width: `${gap.width * 100}%` }}
            />
          ))}
          {shownAt === null ? null : (
            <span
              className={classes.playhead}
              style={{ left: `${timeline.place(shownAt) * 100}%` }}
            />
          )}
        </div>
      </div>
      {timeline.rows.length > rows.length ? (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          Show all {timeline.rows.length} rows
        </Button>
      ) : null}
    </div>
  );
}

function TimelineRow({
  row,
  label,
  current,
  onSelect,
}: {
  row: Row;
  label: ReturnType<typeof labelParts>;
  current: boolean;
  onSelect: (key: string) => void;
}) {
  return (
    <button
      type="button"
      className={classes.row}
      aria-pressed={current}
      onClick={() => onSelect(row.key)}
    >
      <span className={classes.rowLabel} style={{ paddingLeft: row.depth * 14 }}>
        <StatusIcon status={row.sleepsUntil === null ? row.status : 'asleep'} size={13} />
        <span dir="auto" className="gw-truncate" title={label.name + label.place}>
          {label.name}
        </span>
        {label.place ? <span className={classes.rowPlace}>{label.place.slice(3)}</span> : null}
      </span>
      <span className={classes.rowBars}>
        {row.bars.map((bar, index) => (
          <Tooltip
            key={index}
            label={`${KIND_WORD[bar.kind]}${bar.attempt && bar.attempt > 1 ? `, attempt ${bar.attempt}` : ''}: ${formatDuration(bar.ms)}${bar.failed ? ', failed' : ''}`}
          >
            <span
              className={classes.bar}
              data-kind={bar.kind}
              data-failed={bar.failed || undefined}
              style={{ left: `${bar.start * 100}%`, width: `${bar.width * 100}%` }}
            />
          </Tooltip>
        ))}
      </span>
      <span className={classes.rowTime}>
        {row.sleepsUntil === null
          ? formatDuration(row.durationMs)
          : `until ${formatUntil(new Date(row.sleepsUntil), new Date())}`}
      </span>
    </button>
  );
}
