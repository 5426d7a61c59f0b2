import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';

export interface Question {
  title: string;
  text: ReactNode;
  confirm: string;
  danger?: boolean;
  /** What the other button says. */
  cancel?: string;
}
interface ConfirmState {
  question: Question | null;
  answer: ((yes: boolean) => void) | null;
}

/** What is asked now, and who waits for the answer. */
export const useConfirmStore = create<ConfirmState>(() => ({ question: null, answer: null }));

/** Ask before something that cannot be undone. Gives true when the person says yes. */
export function confirm(question: Question): Promise<boolean> {
  useConfirmStore.getState().answer?.(false);
  return new Promise((resolve) => useConfirmStore.setState({ question, answer: resolve }));
}

/** In place of the dialog where its code is gone: whatever is asked is answered with no, and nobody waits. */
export function NobodyAsks(): null {
  const answer = useConfirmStore((state) => state.answer);
  useEffect(() => {
    if (answer === null) return;
    useConfirmStore.setState({ question: null, answer: null });
    answer(false);
  }, [answer]);
  return null;
}
