import { IconMessageQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { asksMeQuery } from '../../../../api/http/workspace/asksMe.ts';
import classes from '../told.module.css';
import { askedBy, asksPath, asksWord } from './words.ts';

/** What somebody asks the person before they decide, and the way to it; nothing where nobody does. */
export function AsksYou() {
  const { data: asks = [] } = useQuery(asksMeQuery);
  const [first] = asks;
  if (!first) return null;
  return (
    <Link to={asksPath(asks)} className={classes.forYou}>
      <IconMessageQuestion size={16} aria-hidden />
      <span>{asks.length === 1 ? `${askedBy(first)}: “${first.question}”` : asksWord(asks)}</span>
    </Link>
  );
}
