import { Fragment } from 'react';
import type { CardComment } from '../../api/types/types.ts';
import classes from './comments.module.css';
import { piecesOf } from './naming/mentions.ts';

/** What somebody wrote: text as it is, names set off, addresses of pages as links. Never markup. */
export function Words({ text, mentions }: Pick<CardComment, 'text' | 'mentions'>) {
  return (
    <p className={classes.words}>
      {piecesOf(text, mentions).map((piece, index) => {
        if (piece.kind === 'mention')
          return (
            <b key={index} className={classes.mention}>
              {piece.text}
            </b>
          );
        if (piece.kind === 'link')
          return (
            <a key={index} href={piece.text} target="_blank" rel="noopener noreferrer nofollow">
              {piece.text}
            </a>
          );
        return <Fragment key={index}>{piece.text}</Fragment>;
      })}
    </p>
  );
}
