import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type AskOfMe, asksMeQuery } from '../../../../api/http/workspace/asksMe.ts';
import { useFresh } from '../useFresh.ts';
import { hideAll, useTold } from '../useTold.tsx';
import { askedBy, asksPath, asksWord } from './words.ts';

/** So many are told one by one; more of them together. */
const MOST = 2;

const isElsewhere = ({ item }: AskOfMe): boolean =>
  document.hidden || !location.pathname.endsWith(`/inbox/${item}`);

/** Tells on every page of what somebody asks the person before they decide, while it is open. */
export function AskHerald() {
  const { data } = useQuery(asksMeQuery);
  const show = useTold();
  const tell = useCallback(
    (fresh: readonly AskOfMe[]) => {
      const [first] = fresh;
      if (first && fresh.length > MOST)
        show(first.id, asksWord(fresh), fresh.map(askedBy).join(' · '), asksPath(fresh));
      else for (const one of fresh) show(one.id, askedBy(one), one.question, asksPath([one]));
    },
    [show],
  );
  useFresh(data, isElsewhere, tell, hideAll);
  return null;
}
