import { useEffect } from 'react';
import { loadRealtime } from '../../../api/live/realtime.ts';
import { hearAway } from './codeGone.ts';

/** Let parts that are fetched later know that the socket lost the server: what would be in vain is not tried. */
export function useHearAway(): void {
  useEffect(() => {
    let left = false;
    const ends: (() => void)[] = [];
    void loadRealtime().then((realtime) => {
      if (left || realtime === null) return;
      let wasOpen = false;
      let isAway = false;
      ends.push(
        realtime.onState((state) => {
          wasOpen ||= state === 'open';
          isAway = wasOpen && state === 'closed';
        }),
        hearAway(() => isAway),
      );
    });
    return () => {
      left = true;
      for (const end of ends) end();
    };
  }, []);
}
