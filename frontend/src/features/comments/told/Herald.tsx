import { useCallback } from 'react';
import type { Mention } from '../../../api/types/types.ts';
import { AskHerald } from './asks/AskHerald.tsx';
import { useHerald } from './useHerald.ts';
import { hideAll, useTold } from './useTold.tsx';
import { commentsWord, placeOf, saidTo } from './words.ts';

/** So many are told one by one; more of them together. */
const MOST = 2;

/** Tells on every page of what is said to the person, in comments and before decisions. */
export function Herald() {
  const show = useTold();
  const tell = useCallback(
    (fresh: readonly Mention[]) => {
      const [newest] = fresh;
      const all = fresh.map(saidTo).join(' · ');
      if (newest && fresh.length > MOST)
        show(newest.id, `${commentsWord(fresh.length)} for you`, all, '/mentions');
      else for (const one of fresh) show(one.id, saidTo(one), one.excerpt, placeOf(one));
    },
    [show],
  );
  useHerald(tell, hideAll);
  return <AskHerald />;
}
