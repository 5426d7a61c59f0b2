import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Action, useActions } from '../../../actions/registry.ts';
import { goToOtherPart } from '../parts/parts.ts';
import type { BulkVerb } from './machine.ts';
import type { Desk } from './useDesk.ts';

const group = 'Inbox';

function moveActions({ conductor, back }: Desk): Action[] {
  const move = (by: 1 | -1) => () => void conductor.dispatch({ type: 'move', by });
  return [
    {
      id: 'inbox.next',
      label: 'Next item',
      group,
      keys: ['J', 'ArrowDown'],
      quiet: true,
      run: move(1),
    },
    {
      id: 'inbox.previous',
      label: 'Previous item',
      group,
      keys: ['K', 'ArrowUp'],
      quiet: true,
      run: move(-1),
    },
    {
      id: 'inbox.fresh',
      label: 'Show what has arrived',
      group,
      keys: ['N'],
      enabled: () => conductor.store.getState().fresh.length > 0,
      run: () => void conductor.dispatch({ type: 'fresh' }),
    },
    {
      id: 'inbox.undo',
      label: 'Take the last decision back',
      group,
      keys: ['Mod+Z'],
      enabled: () => {
        const { held, sentAt } = conductor.store.getState();
        return held.length > 0 || sentAt !== null;
      },
      run: () => void conductor.dispatch({ type: 'undo', now: Date.now() }),
    },
    {
      id: 'inbox.part',
      label: 'From the list to the item, and back',
      group,
      keys: ['F6', 'Shift+F6'],
      whileTyping: true,
      run: goToOtherPart,
    },
    { id: 'inbox.back', label: 'Back to the list', group, keys: ['U'], quiet: true, run: back },
  ];
}

const BULK: [BulkVerb, string, string][] = [
  ['approve', 'Approve what is picked', 'A'],
  ['reject', 'Reject what is picked', 'R'],
  ['snooze', 'Snooze what is picked', 'Z'],
  ['claim', 'Claim what is picked', 'C'],
  ['delegate', 'Delegate what is picked', 'D'],
];

function pickActions(
  { conductor, setDialog }: Desk,
  offered: ReadonlySet<string>,
  pickAll: () => void,
): Action[] {
  const now = () => conductor.store.getState();
  const isPicking = () => now().picks.size > 0;
  const extend = (by: 1 | -1) => () => void conductor.dispatch({ type: 'extend', by });
  return [
    {
      id: 'inbox.pick',
      label: 'Pick the item',
      group,
      keys: ['X'],
      enabled: () => offered.has(now().cursor ?? ''),
      run: () => void conductor.dispatch({ type: 'pick', id: now().cursor ?? '' }),
    },
    {
      id: 'inbox.pickDown',
      label: 'Pick on, down the list',
      group,
      keys: ['Shift+J', 'Shift+ArrowDown'],
      quiet: true,
      run: extend(1),
    },
    {
      id: 'inbox.pickUp',
      label: 'Pick on, up the list',
      group,
      keys: ['Shift+K', 'Shift+ArrowUp'],
      quiet: true,
      run: extend(-1),
    },
    { id: 'inbox.pickAll', label: 'Pick all of the list', group, keys: ['Mod+A'], run: pickAll },
    {
      id: 'inbox.unpick',
      label: 'Pick nothing',
      group,
      keys: ['Escape'],
      quiet: true,
      enabled: isPicking,
      run: () => void conductor.dispatch({ type: 'clear' }),
    },
    ...BULK.map(([verb, label, key]): Action => ({
      id: `inbox.bulk.${verb}`,
      label,
      group,
      keys: [key],
      quiet: true,
      enabled: isPicking,
      run: () => setDialog(verb),
    })),
  ];
}

/** The keys of the list: moving, picking, taking back. */
export function useDeskActions(
  desk: Desk,
  offered: ReadonlySet<string>,
  pickAll: () => void,
): void {
  const isPicking = useStore(desk.conductor.store, (state) => state.picks.size > 0);
  // A new list of actions when picking begins: the registry asks what is enabled when it draws.
  const actions = useMemo(
    () => [...moveActions(desk), ...pickActions(desk, offered, pickAll)],
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [desk.conductor, desk.setDialog, desk.back, offered, pickAll, isPicking],
  );
  useActions(actions);
}
