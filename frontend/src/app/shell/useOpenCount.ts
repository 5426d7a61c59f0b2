import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadRealtime } from '../../api/live/realtime.ts';
import { openCountQuery } from '../../api/http/queries.ts';

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
        if (frame.op === 'bell') void client.invalidateQueries({ queryKey: ['interrupts'] });
      });
    });
    return () => {
      left = true;
      end?.();
    };
  }, [client]);
  return data ?? 0;
}
