import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { membersQuery } from '../../../api/http/lists.ts';
import classes from '../comments.module.css';
import { type Named, namedIn, piecesOf } from './mentions.ts';

/** A text as it is: names set off, addresses of pages as links. Never markup. */
export function Pieces({ text, mentions }: { text: string; mentions: readonly Named[] }) {
  return piecesOf(text, mentions).map((piece, index) => {
    if (piece.kind === 'mention')
      return (
        <b key={index} className={classes.mention}>
          {piece.text}
        </b>
      );
    if (piece.kind === 'link')
      return (
        <a
          key={index}
          className={classes.link}
          href={piece.text}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {piece.text}
        </a>
      );
    return <Fragment key={index}>{piece.text}</Fragment>;
  });
}

/** A text of which nothing else says whom it names: those of the workspace whose names stand in it. */
export function NamingText({ text }: { text: string }) {
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: text.includes('@') });
  const people = members.map(({ user }): Named => ({ id: user.id, name: user.name }));
  return <Pieces text={text} mentions={namedIn(text, [], people)} />;
}
