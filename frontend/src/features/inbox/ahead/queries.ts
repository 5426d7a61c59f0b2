/** What helps to decide an item, asked for once one rests at it. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../api/http/client.ts';
import type { Interrupt, JsonObject } from '../../../api/types/types.ts';
import type * as served from '../../../api/types/schema.gen.ts';

export type Foresight = served.ForesightOut;
export type ForeseenStep = served.ForeseenStepOut;
export type Alike = served.AlikeOut;
export type AlikeItem = served.AlikeItemOut;
export type Verdict = 'approved' | 'rejected';

const RESTS_MS = 250;
const FRESH_MS = 15_000;

/** A value once it has rested; null before. Keys pressed fast ask for nothing. */
export function useRested<T>(value: T): T | null {
  const [rested, setRested] = useState<T | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), RESTS_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** What a decision would lead to, with these edits (as JSON text, so that equal ones are one). */
export function useForesight(item: Interrupt, decision: Verdict, edits: string, isOn: boolean) {
  const rested = useRested(edits);
  const isAsked = isOn && item.kind === 'approval' && item.status === 'open' && rested !== null;
  return useQuery({
    queryKey: ['foresee', item.request_id, item.content_hash, decision, rested],
    queryFn: () =>
      api.post<Foresight>(`interrupts/${item.request_id}/foresee/`, {
        decision,
        edits: rested ? (JSON.parse(rested) as JsonObject) : null,
      }),
    enabled: isAsked,
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: (before) => before,
  });
}

export function useAlike(item: Interrupt) {
  const rested = useRested(item.request_id);
  return useQuery({
    queryKey: ['alike', item.request_id],
    queryFn: () => api.get<Alike>(`interrupts/${item.request_id}/alike/`),
    enabled: rested !== null && item.kind === 'approval',
    staleTime: FRESH_MS,
  });
}
