import { useMemo } from 'react';
import { type Action, isPopupOpen, isTyping, useActions } from '../../../actions/registry.ts';
import { pressOf, useConductor, useRhythm } from '../rhythm/conductor.ts';
import { type Verb, answerFields, mainVerb } from './answer.ts';
import { confirmDecision } from './DecisionButtons.tsx';
import type { DecisionControl } from './useDecision.ts';

const group = 'Inbox';

/** The keys of an approval; while items are picked, they are the list's. */
function approvalActions(control: DecisionControl, isOpen: () => boolean): Action[] {
  const { item, mode, resting } = control;
  const undecided = () => isOpen() && item.my_decision === null;
  return [
    {
      id: 'inbox.approve',
      label: 'Approve',
      group,
      keys: ['A'],
      enabled: () => undecided() && (mode === 'look' || mode === 'reason' || resting),
      run: (press) => control.submit('approve', pressOf(press)),
    },
    {
      id: 'inbox.edit',
      label: 'Approve with edits',
      group,
      keys: ['E'],
      enabled: () => undecided() && answerFields(item).length > 0,
      run: (press) => control.setMode('edit', pressOf(press)),
    },
    {
      id: 'inbox.reject',
      label: 'Reject',
      group,
      keys: ['R'],
      enabled: isOpen,
      run: (press) => control.setMode('reject', pressOf(press)),
    },
  ];
}

/** Numbers choose options: the first nine of them. */
function optionActions({ item, draft, change }: DecisionControl, isOpen: () => boolean): Action[] {
  const isMany = item.kind === 'multi-choice';
  if (item.kind !== 'choice' && !isMany) return [];
  const toggled = (id: string) => {
    if (!isMany) return [id];
    return draft.picked.includes(id)
      ? draft.picked.filter((each) => each !== id)
      : [...draft.picked, id];
  };
  return (item.request.options ?? []).slice(0, 9).map((option, place) => ({
    id: `inbox.option.${place + 1}`,
    label: `Choose ${option.label}`,
    group,
    keys: [String(place + 1)],
    quiet: true,
    enabled: isOpen,
    run: () => change({ picked: toggled(option.id) }),
  }));
}

/** The field of the item on screen in which the cursor is. */
function fieldOfItem(): HTMLElement | null {
  const at = document.activeElement;
  return at instanceof HTMLElement && at.matches('article[data-request] :is(input, textarea)')
    ? at
    : null;
}

/** Whether the keys are meant for the item: no field, menu or box outside of it has them. */
const isAtItem = (): boolean =>
  fieldOfItem() !== null || !(isTyping(document.activeElement) || isPopupOpen());

function commonActions(control: DecisionControl, isOpen: () => boolean): (Action | null)[] {
  const { item, mode } = control;
  const main: Verb = mode === 'reject' ? 'reject' : mainVerb(item);
  return [
    item.kind === 'budget'
      ? {
          id: 'inbox.stop',
          label: 'Stop the run',
          group,
          keys: ['R'],
          enabled: isOpen,
          run: () => void confirmDecision(control, 'stop'),
        }
      : null,
    {
      id: 'inbox.leave',
      label: 'Back without deciding',
      group,
      keys: ['Escape'],
      whileTyping: true,
      quiet: true,
      enabled: () => isOpen() && (mode !== 'look' || fieldOfItem() !== null),
      run: () => {
        fieldOfItem()?.blur();
        if (mode !== 'look') control.leave();
      },
    },
    {
      id: 'inbox.submit',
      label: 'Send the decision',
      group,
      keys: ['Mod+Enter'],
      whileTyping: true,
      quiet: true,
      enabled: () => isOpen() && isAtItem() && (mode === 'reject' || item.my_decision === null),
      run: (press) => control.submit(main, pressOf(press), true),
    },
  ];
}

/** The keys by which the item on screen is decided; none while it cannot be. */
export function useItemActions(control: DecisionControl, active: boolean): void {
  const conductor = useConductor();
  const isFrozen = useRhythm(({ frozen }) => frozen === 'changed');
  const isPicking = useRhythm(({ picks }) => picks.size > 0);
  const actions = useMemo<Action[]>(() => {
    if (!active) return [];
    const isOpen = () => control.outcome === null && !isPicking;
    const looked: Action = {
      id: 'inbox.looked',
      label: 'I have looked at the change',
      group,
      keys: ['Enter'],
      quiet: true,
      enabled: () => isFrozen,
      run: () => conductor?.dispatch({ type: 'looked', at: performance.now() }),
    };
    return [
      ...(control.item.kind === 'approval' ? approvalActions(control, isOpen) : []),
      ...optionActions(control, isOpen),
      ...commonActions(control, isOpen).filter((action) => action !== null),
      looked,
    ];
  }, [control, active, conductor, isFrozen, isPicking]);
  useActions(actions);
}
