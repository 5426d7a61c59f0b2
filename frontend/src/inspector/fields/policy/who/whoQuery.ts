import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../../api/http/client.ts';
import type { WhoOut } from '../../../../api/types/schema.gen.ts';
import type { Json } from '../../../../api/types/types.ts';
import type { Policy } from '../../../../graph/policy/policy.ts';

const MOST = 50;
const YEAR_MS = 366 * 86_400_000;
const FORM = /^(?:=|(?:user|group|role):)\s*\S/;

/** Whether a policy is one that the server can be asked about: it refuses others, and their check says why. */
export function worthAsking({ rule, eligible, reminders, escalation }: Policy): boolean {
  const entries = [...(eligible ?? []), ...(escalation?.to ?? [])];
  const times = [...reminders, escalation?.after_ms ?? 0];
  return (
    entries.length <= MOST &&
    entries.every((entry) => FORM.test(entry)) &&
    times.every((ms) => ms <= YEAR_MS) &&
    escalation?.to.length !== 0 &&
    (typeof rule !== 'number' || (rule >= 1 && rule <= 1_000))
  );
}

/** Who could decide under a policy today. Asked once for each policy and supposed starter. */
export const whoQuery = (policy: Json, starter: string | null, graph: string) =>
  queryOptions({
    queryKey: ['who', policy, starter, graph],
    queryFn: ({ signal }) =>
      api.post<WhoOut>(
        'approvals/who/',
        { policy, ...(starter ? { starter } : {}), ...(graph ? { graph } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
    gcTime: 60_000,
  });
