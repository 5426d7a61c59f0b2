import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askAgain } from './askAgain.ts';
import { loadRealtime } from './realtime.ts';

/** Ask again for every query under `key` when the server rings for this topic. */
export function useBell(topic: 'inbox' | 'mentions' | 'runs', key: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let end: (() => void) | undefined;
    let left = false;
    void loadRealtime().then((realtime) => {
      if (left) return;
      end = realtime?.sub({ topic }, (frame) => {
        if (frame.op === 'bell') askAgain(client, key);
      });
    });
    return () => {
      left = true;
      end?.();
    };
  }, [client, topic, key]);
}
