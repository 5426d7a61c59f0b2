import { useCallback, useMemo, useState } from 'react';
import { closeComments, toggleComments, useCommenting } from '../../comments/commenting.ts';

/** The lists that lie over the canvas, of which one is open at a time. `onClosed` hears that the problems were put away. */
export function useLists(onClosed: () => void) {
  const [problems, setProblems] = useState(false);
  const talk = useCommenting((state) => state.panel);
  const closeProblems = useCallback(() => {
    setProblems(false);
    onClosed();
  }, [onClosed]);
  return useMemo(
    () => ({
      problems,
      any: problems || talk,
      showProblems: () => setProblems(true),
      toggleProblems: () => {
        closeComments();
        setProblems((open) => !open);
      },
      toggleTalk: () => {
        setProblems(false);
        toggleComments();
      },
      /** Put the open one away; whether there was one. */
      closeTop: () => {
        if (problems) closeProblems();
        else if (talk) closeComments();
        return problems || talk;
      },
    }),
    [problems, talk, closeProblems],
  );
}
