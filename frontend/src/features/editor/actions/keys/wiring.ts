import type { Action } from '../../../../actions/registry.ts';
import { START } from '../../../../graph/document/document.ts';
import { moveInOrder, rivals } from '../../../../graph/wiring/rewire.ts';
import { useEditor } from '../../../../store/editor.ts';
import { askTarget } from '../../menu/askTarget.ts';
import { announceWire } from '../announcing.ts';
import { editable, oneEdge } from '../conditions.ts';
import { chooseWire, hasWires } from './walking.ts';

/** The node, or the start, that alone is selected; empty where there is none. */
function source(): string {
  const chosen = useEditor.getState().nodes.filter((node) => node.selected);
  const [only] = chosen;
  return chosen.length === 1 && (only?.type === 'card' || only?.id === START) ? only.id : '';
}

/** The wire whose place among others can be changed; empty where there is none. */
function rival(): string {
  const edge = oneEdge();
  return edge && rivals(useEditor.getState().records, edge.id).length > 1 ? edge.id : '';
}

const move = (by: -1 | 1) =>
  useEditor
    .getState()
    .gesture(by < 0 ? 'Try sooner' : 'Try later', (records) => moveInOrder(records, rival(), by));

function choose(by: -1 | 1): void {
  chooseWire(by);
  announceWire();
}

/** What draws and changes wires without a pointer. */
export function wiring(): Action[] {
  const group = 'Wires';
  return [
    {
      id: 'editor.connect',
      label: 'Connect to',
      group,
      keys: ['C'],
      also: 'wire edge draw line',
      enabled: () => editable() && source() !== '',
      run: () => askTarget('node', source()),
    },
    {
      id: 'editor.reroute',
      label: 'Lead the wire elsewhere',
      group,
      keys: ['Shift+C'],
      also: 'wire edge target reconnect',
      enabled: () => Boolean(oneEdge()),
      run: () => askTarget('wire', oneEdge()?.id ?? ''),
    },
    {
      id: 'editor.next-wire',
      label: 'Choose the next wire',
      group,
      keys: [']'],
      enabled: hasWires,
      run: () => choose(1),
    },
    {
      id: 'editor.last-wire',
      label: 'Choose the wire before',
      group,
      keys: ['['],
      enabled: hasWires,
      run: () => choose(-1),
    },
    {
      id: 'editor.sooner',
      label: 'Try this wire sooner',
      group,
      keys: ['Mod+ArrowUp'],
      also: 'order priority condition',
      enabled: () => rival() !== '',
      run: () => move(-1),
    },
    {
      id: 'editor.later',
      label: 'Try this wire later',
      group,
      keys: ['Mod+ArrowDown'],
      also: 'order priority condition',
      enabled: () => rival() !== '',
      run: () => move(1),
    },
  ];
}
