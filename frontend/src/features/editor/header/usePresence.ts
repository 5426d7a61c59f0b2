import { useEffect, useMemo, useState } from 'react';
import type { Onlooker } from '../../../canvas/cards/context.ts';
import {
  loadRealtime,
  type PresencePerson,
  type RealtimeClient,
} from '../../../api/live/realtime.ts';
import { heardComments } from '../../comments/commenting.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { clientName, hearOthers } from '../../../store/saving.ts';

/** None is a red, an amber or a green: these frame a card that failed, that waits or that is done. */
const colors = ['#0b7285', '#9c36b5', '#1864ab', '#5f3dc4', '#364fc7', '#a61e8f'];
/** One's own other tab is nobody to look out for. */
const OWN = '#5c616d';

/** The colour of a person: the same for everybody who sees them. */
export function colorOf(id: string): string {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return colors[sum % colors.length] ?? OWN;
}

/** Other people in this graph, told what is selected here. Saves of others are fetched. Nothing without a socket. */
export function usePresence(graphId: string): PresencePerson[] {
  const [people, setPeople] = useState<PresencePerson[]>([]);
  useEffect(() => useEditor.setState({ company: people.length }), [people]);
  const selection = useEditor((state) => selectedIds(state).join('\n'));
  const [realtime, setRealtime] = useState<RealtimeClient | null>(null);
  useEffect(() => {
    let end: (() => void) | undefined;
    let left = false;
    void loadRealtime().then((client) => {
      if (left || !client) return;
      setRealtime(client);
      end = client.sub({ graph: graphId, client: clientName }, (frame) => {
        if (frame.op === 'comments') heardComments();
        if (frame.op === 'presence')
          setPeople(frame.people.filter((person) => person.client !== clientName));
        if (frame.op === 'draft' && frame.client !== clientName) void hearOthers(frame.revision);
      });
    });
    return () => {
      left = true;
      end?.();
      setPeople([]);
    };
  }, [graphId]);
  useEffect(() => {
    realtime?.presence({ graph: graphId }, selection ? selection.split('\n') : []);
  }, [realtime, graphId, selection]);
  return people;
}

/** Who has which node selected. */
export function useOnlookers(
  people: readonly PresencePerson[],
  me = '',
): ReadonlyMap<string, Onlooker[]> {
  return useMemo(() => {
    const map = new Map<string, Onlooker[]>();
    for (const { user, selection } of people) {
      for (const id of selection)
        map.set(id, [
          ...(map.get(id) ?? []),
          user.id === me
            ? { name: 'You, in another tab', color: OWN }
            : { name: user.name, color: colorOf(user.id) },
        ]);
    }
    return map;
  }, [people, me]);
}
