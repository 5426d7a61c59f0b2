import type { CardComment } from '../../api/types/types.ts';
import classes from './comments.module.css';
import { Pieces } from './naming/Pieces.tsx';

/** What somebody wrote: text as it is, names set off, addresses of pages as links. Never markup. */
export function Words({ text, mentions }: Pick<CardComment, 'text' | 'mentions'>) {
  return (
    <p className={classes.words}>
      <Pieces text={text} mentions={mentions} />
    </p>
  );
}
