import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ActivationStatus } from '../../../api/types/types.ts';
import { inWords } from '../../../run/values/json.ts';
import { type ItemView, itemsOf } from '../../../run/reading/special.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import { statusLook } from '../../../ui/status.ts';
import { StatusIcon } from '../../../ui/StatusBadge.tsx';
import { nodeLabel } from '../views/canvasViews.ts';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

const PAGE = 50;
const ORDER: ActivationStatus[] = [
  'failed',
  'in_doubt',
  'waiting',
  'retrying',
  'running',
  'queued',
  'completed',
  'skipped',
  'cancelled',
];

/** The children of a node with their states; each leads to what it did. */
export function Items({ view, activation, document, now, onKey }: SpecialProps) {
  const items = itemsOf(view, activation);
  const [only, setOnly] = useState<ActivationStatus | null>(null);
  const [count, setCount] = useState(PAGE);
  const present = ORDER.filter((status) => items.some((item) => item.status === status));
  const shown = items.filter((item) => only === null || item.status === only);
  const mixed = new Set(items.map((item) => item.node)).size > 1;
  return (
    <>
      <Share items={items} />
      <div className={classes.filters} role="group" aria-label="Show only">
        {present.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={only === status}
            onClick={() => setOnly(only === status ? null : status)}
          >
            <StatusIcon status={status} size={12} />{' '}
            {items.filter((item) => item.status === status).length}{' '}
            {statusLook(status).label.toLowerCase()}
          </button>
        ))}
      </div>
      <ol className={classes.rows} aria-label="Items">
        {shown.slice(0, count).map((item) => (
          <li key={item.index}>
            <Item
              item={item}
              name={mixed ? nodeLabel(document, item.node) : null}
              now={now}
              onKey={onKey}
            />
          </li>
        ))}
      </ol>
      {shown.length > count ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setCount(count + PAGE)}>
          Show more ({shown.length - count})
        </Button>
      ) : null}
    </>
  );
}

/** How far the work is, in the colours of the states. */
function Share({ items }: { items: readonly ItemView[] }) {
  const done = items.filter(
    (item) => item.status === 'completed' || item.status === 'skipped',
  ).length;
  return (
    <div
      className={classes.share}
      role="img"
      aria-label={`${done} of ${items.length} items are done`}
    >
      {ORDER.toReversed().map((status) => {
        const part = items.filter((item) => item.status === status).length;
        return part === 0 ? null : (
          <span key={status} data-color={statusLook(status).color} style={{ flexGrow: part }} />
        );
      })}
    </div>
  );
}

function Item({
  item,
  name,
  now,
  onKey,
}: {
  item: ItemView;
  name: string | null;
  now: number;
  onKey: (key: string) => void;
}) {
  const { key } = item;
  const what = item.error ?? inWords(item.output, 110);
  const inside = (
    <>
      <StatusIcon status={item.status} size={14} />
      <span className={classes.place}>{item.index + 1}</span>
      <span className={classes.rowWords}>
        <span className="gw-truncate">
          {[name, inWords(item.item, 90)].filter(Boolean).join(' · ') || item.node}
        </span>
        {what ? (
          <span
            className={`${classes.rowSub} gw-truncate`}
            data-failed={item.error !== null || undefined}
          >
            {what}
          </span>
        ) : null}
      </span>
      <span className={classes.rowAside}>
        {item.startedAt === null
          ? ''
          : formatDuration(Math.max(0, (item.endedAt ?? now) - item.startedAt))}
      </span>
    </>
  );
  if (key === undefined) return <div className={classes.row}>{inside}</div>;
  return (
    <button type="button" className={classes.row} onClick={() => onKey(key)}>
      {inside}
    </button>
  );
}
