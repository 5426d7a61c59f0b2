import { type Action, allActions } from '../../../actions/registry.ts';
import type { MenuKind } from '../../../canvas/menuRequest.ts';
import { isPinned, isStoodBefore } from '../actions/trying.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';

/** One line of a menu: a registered action, in the menu's own words where these say more. */
export interface MenuLine {
  action: Action;
  label: string;
  /** Why it can do nothing here: it is offered all the same, to say so. */
  whyNot: string | null;
}

const clipboard = ['editor.copy', 'editor.cut', 'editor.paste', 'editor.duplicate'];

/** What each menu offers, by ids of actions, in groups. */
const offered: Record<MenuKind, readonly (readonly string[])[]> = {
  node: [
    ['editor.run-to', 'editor.run-from', 'editor.only'],
    ['editor.pin', 'editor.breakpoint'],
    ['editor.rename', 'editor.disable', 'editor.comment'],
    clipboard,
    ['editor.downstream', 'editor.upstream'],
    ['editor.frame', 'editor.extract', 'editor.tidy', 'editor.fit-selection'],
    ['editor.heal', 'editor.delete'],
  ],
  wire: [['editor.insert', 'editor.condition'], ['editor.delete']],
  note: [['editor.rename'], clipboard, ['editor.fit-selection'], ['editor.delete']],
  frame: [
    ['editor.rename'],
    ['editor.palette', ...clipboard],
    ['editor.inside', 'editor.fit-selection'],
    ['editor.delete'],
  ],
  canvas: [
    ['editor.palette', 'editor.note', 'editor.paste'],
    ['editor.all', 'editor.find', 'editor.tidy', 'editor.fit'],
    ['editor.run', 'editor.settings'],
  ],
};

function labelOf(action: Action, kind: MenuKind): string {
  if (action.id === 'editor.paste') return 'Paste here';
  if (action.id === 'editor.rename' && kind === 'note') return 'Write';
  if (action.id === 'editor.pin') return isPinned() ? 'Unpin its answer' : 'Pin its answer';
  if (action.id === 'editor.breakpoint')
    return isStoodBefore() ? 'Do not stop before it' : 'Stop before it';
  if (action.id !== 'editor.disable') return action.label;
  const { records } = useEditor.getState();
  const nodes = selectedIds().flatMap((id) => records.nodes.get(id) ?? []);
  return nodes.every((node) => node.disabled) ? 'Enable' : 'Disable';
}

/** The lines of a menu in groups: what cannot be done now is not there, and neither is an empty group. */
export function menuLines(kind: MenuKind, actions: readonly Action[] = allActions()): MenuLine[][] {
  const lines = offered[kind].map((ids) =>
    ids.flatMap((id) => {
      const action = actions.findLast((entry) => entry.id === id);
      return action && action.enabled?.() !== false
        ? [{ action, label: labelOf(action, kind), whyNot: action.whyNot?.() ?? null }]
        : [];
    }),
  );
  return lines.filter((group) => group.length > 0);
}

/** What a menu is about, for those who hear it. */
export function menuTitle(kind: MenuKind): string {
  if (kind === 'canvas') return 'Canvas';
  if (kind === 'wire') return 'Wire';
  const ids = selectedIds();
  if (ids.length > 1) return `${ids.length} selected`;
  if (kind !== 'node') return kind === 'frame' ? 'Frame' : 'Note';
  const node = useEditor.getState().records.nodes.get(ids[0] ?? '');
  return node?.label || node?.id || 'Node';
}
