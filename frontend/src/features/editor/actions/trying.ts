import type { Action } from '../../../actions/registry.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { runAlone, useTesting } from '../testrun/testing.ts';
import { useStale } from '../testrun/stale/stalePlan.ts';
import { hasStale } from '../testrun/stale/words.ts';
import { toggleBreakpoint, togglePin, useTrials } from '../testrun/trials/trials.ts';
import { editable, isLedTo, oneNode } from './conditions.ts';

const chosen = () => selectedIds()[0] ?? '';
const mayRun = () => useEditor.getState().can.run;

/** Whether what the chosen node gives may be pinned, or is: a person's answer is theirs alone. */
function pinnable(): boolean {
  const { records, types } = useEditor.getState();
  const type = types.get(records.nodes.get(chosen())?.type ?? '');
  return editable() && isLedTo() && !type?.asks_people;
}

/** Whether running what is stale is meant: a node that is chosen and still holds is run from instead. */
export function canRunStale(): boolean {
  const { plan } = useStale.getState();
  if (!mayRun() || !plan || !hasStale(plan)) return false;
  return !oneNode() || plan.stale.some(({ node }) => node === chosen());
}

/** What is tried with one node: alone, pinned, stood before. */
export function trying(): Action[] {
  const group = 'Workflow';
  return [
    {
      id: 'editor.only',
      label: 'Run this node alone',
      group,
      keys: ['Shift+R'],
      also: 'single step try only',
      enabled: () => mayRun() && isLedTo(),
      run: () => void runAlone(chosen()),
    },
    {
      id: 'editor.pin',
      label: 'Pin its answer, or unpin it',
      group,
      keys: ['P'],
      also: 'freeze keep result mock',
      enabled: pinnable,
      run: () => {
        const { runId } = useTesting.getState();
        void togglePin(chosen(), runId);
      },
    },
    {
      id: 'editor.breakpoint',
      label: 'Stop before it, or no longer',
      group,
      keys: ['B'],
      also: 'breakpoint pause debug',
      enabled: () => mayRun() && oneNode(),
      run: () => toggleBreakpoint(chosen()),
    },
  ];
}

/** Whether a node is pinned now: menus say so. */
export const isPinned = () => useTrials.getState().pins.has(chosen());
/** Whether runs stand before a node now. */
export const isStoodBefore = () => useTrials.getState().breakpoints.has(chosen());
