import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { membersQuery } from '../../../api/http/lists.ts';
import { type Asked, askedAt, meant, type Named, named } from './mentions.ts';

interface Names {
  text: string;
  onText: (text: string) => void;
  onPick: (person: Named) => void;
  area: RefObject<HTMLTextAreaElement | null>;
}

/** The people offered while a name is typed after an `@`, and the keys that choose among them. */
export function useNames({ text, onText, onPick, area }: Names) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [at, setAt] = useState(0);
  const members = useQuery({ ...membersQuery, enabled: asked !== null });
  const people = (members.data ?? []).map(({ user }): Named => ({ id: user.id, name: user.name }));
  const offered = asked ? meant(people, asked.word) : [];
  const look = (now: string, caret: number) => {
    setAsked(askedAt(now, caret));
    setAt(0);
  };
  const pick = (person: Named) => {
    if (!asked) return;
    const after = named(text, asked, person);
    onText(after.text);
    onPick(person);
    setAsked(null);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(after.caret, after.caret);
    });
  };
  /** Whether the stroke was for the list. */
  const press = (event: KeyboardEvent): boolean => {
    const person = offered[at];
    if (!person) return false;
    if (event.key === 'ArrowDown') setAt((at + 1) % offered.length);
    else if (event.key === 'ArrowUp') setAt((at + offered.length - 1) % offered.length);
    else if (event.key === 'Escape') setAsked(null);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      pick(person);
    else return false;
    return true;
  };
  return { offered, at, look, pick, press, close: () => setAsked(null) };
}
