import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askAgain } from '../../api/live/askAgain.ts';
import { loadRealtime } from '../../api/live/realtime.ts';
import { alertsQuery } from '../../api/http/alerts.ts';
import { openCountQuery, useSession } from '../../api/http/queries.ts';

/** How many interrupts are open for this workspace: asked again at every bell of the inbox, and once a minute. */
export function useOpenCount(): number {
  const client = useQueryClient();
  const { data } = useQuery(openCountQuery);
  useEffect(() => {
    let end: (() => void) | undefined;
    let left = false;
    void loadRealtime().then((realtime) => {
      if (left) return;
      end = realtime?.sub({ topic: 'inbox' }, (frame) => {
        if (frame.op === 'bell') askAgain(client, 'interrupts');
      });
    });
    return () => {
      left = true;
      end?.();
    };
  }, [client]);
  return data ?? 0;
}

/** How many alerts stand open and are not muted, for who looks after runs. */
export function useOpenAlerts(): number {
  const { data: session } = useSession();
  const role = session?.workspace?.role;
  const { data } = useQuery({ ...alertsQuery, enabled: role === 'operator' || role === 'admin' });
  return data?.results.filter(({ open, muted_until }) => open !== null && !muted_until).length ?? 0;
}
