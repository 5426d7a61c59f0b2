import { useState } from 'react';
import { type Named, stillNamed } from './mentions.ts';

/** A text that is being written, and whom it names of those who were chosen. */
export function useMentions(before?: { text: string; mentions: readonly Named[] }) {
  const [text, setText] = useState(before?.text ?? '');
  const [picked, setPicked] = useState<readonly Named[]>(before?.mentions ?? []);
  const named = stillNamed(text, picked);
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
