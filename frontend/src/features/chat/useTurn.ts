import { useEffect, useState } from 'react';
import { follow } from './follow.ts';
import { newTurn, type Turn } from './turn.ts';

/** What a run says, as it says it; and a way to note that its question was answered here. */
export function useTurn(runId: string): [Turn, () => void] {
  const [turn, setTurn] = useState(() => newTurn(runId));
  useEffect(() => {
    const abort = new AbortController();
    void follow(newTurn(runId), null, setTurn, abort.signal);
    return () => abort.abort();
  }, [runId]);
  const answered = () =>
    setTurn((before) => (before.status === 'waiting' ? { ...before, status: 'running' } : before));
  return [turn, answered];
}
