import { useEffect, useState } from 'react';
import { type PresencePerson, loadRealtime } from '../../../../api/live/realtime.ts';
import { AT_WORK } from './words.ts';

/** Who has the item open, oneself included; the others are told whether one writes an answer. */
export function useLookers(item: string, isWriting: boolean): readonly PresencePerson[] {
  const [people, setPeople] = useState<readonly PresencePerson[]>([]);
  useEffect(() => {
    let end: (() => void) | undefined;
    let left = false;
    void loadRealtime().then((realtime) => {
      if (left || realtime === null) return;
      end = realtime.sub({ item }, (frame) => {
        if (frame.op === 'presence') setPeople(frame.people);
      });
    });
    return () => {
      left = true;
      end?.();
    };
  }, [item]);
  const isAlone = people.length < 2;
  useEffect(() => {
    // Nobody to tell: what is written here alone goes nowhere. Who comes later is told then.
    if (isAlone) return;
    void loadRealtime().then((realtime) => {
      realtime?.presence({ item }, isWriting ? [AT_WORK] : []);
    });
  }, [item, isWriting, isAlone]);
  return people;
}
