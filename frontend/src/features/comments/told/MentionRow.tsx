import { VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { Mention } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from './told.module.css';
import { placeOf, saidTo } from './words.ts';

/** Who said what to the person, where and when; it leads to the thread. */
export function MentionRow({ mention }: { mention: Mention }) {
  const { excerpt, label, at, read_at } = mention;
  return (
    <li className={classes.row} data-unread={read_at === null || undefined}>
      <Link to={placeOf(mention)}>
        <span className={classes.head}>
          {read_at === null ? <VisuallyHidden>Unread: </VisuallyHidden> : null}
          <b>{saidTo(mention)}</b>
          <span>
            {label} · <RelativeTime at={at} />
          </span>
        </span>
        <span className={classes.said}>{excerpt}</span>
      </Link>
    </li>
  );
}
