import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { membersQuery } from '../../../api/http/lists.ts';
import { type Named, namedIn } from './mentions.ts';

/** A text that is being written, and whom it names: chosen from the list, or written by hand. */
export function useMentions(before?: { text: string; mentions: readonly Named[] }) {
  const [text, setText] = useState(before?.text ?? '');
  const [picked, setPicked] = useState<readonly Named[]>(before?.mentions ?? []);
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: text.includes('@') });
  const people = members.map(({ user }): Named => ({ id: user.id, name: user.name }));
  const named = namedIn(text, picked, people);
  return {
    text,
    setText,
    named,
    /** Their ids, as they are sent. */
    mentions: named.map(({ id }) => id),
    pick: (person: Named) =>
      setPicked((all) => [...all.filter(({ id }) => id !== person.id), person]),
  };
}
