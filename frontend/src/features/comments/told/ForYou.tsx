import { IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { unreadQuery } from '../../../api/http/workspace/mentions.ts';
import classes from './told.module.css';
import { placeOf, saidTo } from './words.ts';

/** The newest comment that speaks to the person, and how many more do; nothing where none does. */
export function ForYou() {
  const { data: [newest, ...more] = [] } = useQuery(unreadQuery);
  if (!newest) return null;
  const path = more.length > 0 ? '/mentions' : placeOf(newest);
  return (
    <Link to={path} className={classes.forYou}>
      <IconAt size={16} aria-hidden />
      <span>
        {saidTo(newest)}
        {more.length > 0 ? `, and ${more.length} more` : null}
      </span>
    </Link>
  );
}
