import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { isSingleKey, matchesKeys, type KeyStroke } from '../ui/keys/keys.ts';

/** One thing that a person can do here. Menu, toolbar, palette, shortcuts and the `?` sheet all read it from the registry. */
export interface Action {
  id: string;
  label: string;
  /** Heading in the `?` sheet and the palette. */
  group: string;
  /** Shortcuts, first is shown: `Mod+Shift+Z`, `Shift+1`, `?`. */
  keys?: readonly string[];
  /** Words that also find it in the palette. */
  also?: string;
  /** Also while typing in a field. */
  whileTyping?: boolean;
  /** Not offered in the palette (arrows and the like). */
  quiet?: boolean;
  /** The browser's own event does it (copy, paste); the key is only listed. */
  native?: boolean;
  enabled?: () => boolean;
  /** Why it can do nothing for what is chosen now; menus offer it greyed, with that. Null: it can. */
  whyNot?: () => string | null;
  /** Whether its shortcut counts now; buttons and menus offer it all the same. */
  byKey?: () => boolean;
  /** `press` is the stroke that asked for it; none comes from the palette or a menu. */
  run: (press?: KeyboardEvent) => void;
}

interface Scope {
  id: number;
  actions: readonly Action[];
}

interface Registry {
  scopes: Scope[];
  /** Other shortcuts that the person chose, by action id; an empty list takes the shortcut away. */
  rebound: Record<string, string[]>;
  singleKeys: boolean;
}

const storageKey = 'graphwright.keys';

function readChoices(): Pick<Registry, 'rebound' | 'singleKeys'> {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Registry>;
    return { rebound: stored.rebound ?? {}, singleKeys: stored.singleKeys ?? true };
  } catch {
    return { rebound: {}, singleKeys: true };
  }
}

/** Everything that can be done on this page now; later scopes (the inner ones) win over earlier ones. */
export const useRegistry = create<Registry>(() => ({ scopes: [], ...readChoices() }));

useRegistry.subscribe(({ rebound, singleKeys }) => {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ rebound, singleKeys }));
  } catch {
    // Storage is full or forbidden: the choice holds until the page is left.
  }
});

let nextScope = 1;

/** Offer actions while the calling component is mounted. Their closures may change on every render. */
export function useActions(actions: readonly Action[]): void {
  const scope = useRef(0);
  useEffect(() => {
    const id = nextScope++;
    scope.current = id;
    useRegistry.setState((state) => ({ scopes: [...state.scopes, { id, actions: [] }] }));
    return () =>
      useRegistry.setState((state) => ({
        scopes: state.scopes.filter((entry) => entry.id !== id),
      }));
  }, []);
  useEffect(() => {
    useRegistry.setState((state) => ({
      scopes: state.scopes.map((entry) =>
        entry.id === scope.current ? { id: entry.id, actions } : entry,
      ),
    }));
  }, [actions]);
}

/** The actions of every mounted scope, outer first. */
export function allActions(state: Registry = useRegistry.getState()): Action[] {
  return state.scopes.flatMap((scope) => scope.actions);
}

/** The shortcuts of an action after rebinding and the single-key switch. */
export function keysOf(
  action: Action,
  state: Registry = useRegistry.getState(),
): readonly string[] {
  const keys = state.rebound[action.id] ?? action.keys ?? [];
  return state.singleKeys ? keys : keys.filter((key) => !isSingleKey(key));
}

/** Give an action other shortcuts; null brings back its own. */
export function rebind(id: string, keys: string[] | null): void {
  useRegistry.setState(({ rebound }) => {
    const others = Object.entries(rebound).filter(([other]) => other !== id);
    return { rebound: Object.fromEntries(keys === null ? others : [...others, [id, keys]]) };
  });
}

/** Other actions of this page that a shortcut already runs. */
export function alsoOn(
  keys: string,
  id: string,
  state: Registry = useRegistry.getState(),
): Action[] {
  return allActions(state).filter(
    (action) => action.id !== id && keysOf(action, state).includes(keys),
  );
}

/** Run an action by id when it is there and enabled. Gives whether it ran. */
export function runAction(id: string): boolean {
  const action = allActions().findLast((entry) => entry.id === id);
  if (!action || action.enabled?.() === false) return false;
  action.run();
  return true;
}

/** Inputs that are no text: a letter pressed in one is not written anywhere. */
const PRESSED = [
  'checkbox',
  'radio',
  'button',
  'submit',
  'reset',
  'image',
  'file',
  'range',
  'color',
]
  .map((type) => `input[type="${type}"]`)
  .join(', ');

/** Whether letters that are pressed here are written here, or belong to a dialog or menu. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches(PRESSED)) ||
    target.closest('[role="dialog"],[role="menu"],[role="listbox"]') !== null
  );
}

/** A button whose menu or box is open: it says so before the focus has got there. */
const OPEN = ['menu', 'dialog']
  .map((kind) => `[aria-haspopup="${kind}"][aria-expanded="true"]`)
  .join(', ');

/** Whether a menu or box is open over the page, for which the next letter was meant. */
export const isPopupOpen = (): boolean => document.querySelector(`[role="menu"], ${OPEN}`) !== null;

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const controlKeys = new Set(['Tab', 'Enter', ' ', ...arrows]);

/** Whether a stroke belongs to the focused control: buttons keep Enter, and Tab always leaves one. */
export function belongsToControl({ key, target }: Pick<KeyboardEvent, 'key' | 'target'>): boolean {
  if (!controlKeys.has(key) || !(target instanceof Element)) return false;
  if (target.matches('input[type="checkbox"]')) return key === 'Tab' || key === ' ';
  if (target.matches(PRESSED)) return key !== 'Enter';
  const control = target.closest('button, a[href], summary, [role="option"]');
  if (control === null) return false;
  // A link to what is open already has nothing to do: its keys are those of what is open.
  return key === 'Tab' || !control.matches('a[aria-current="true"]');
}

/** The action that a stroke asks for, innermost scope first; null when there is none. */
export function actionFor(stroke: KeyStroke, typing: boolean): Action | null {
  const state = useRegistry.getState();
  const actions = allActions(state).toReversed();
  return (
    actions.find(
      (action) =>
        !action.native &&
        (!typing || action.whileTyping) &&
        action.enabled?.() !== false &&
        action.byKey?.() !== false &&
        keysOf(action, state).some((keys) => matchesKeys(keys, stroke)),
    ) ?? null
  );
}

/** Outside of fields a browser takes back what was typed last in one of them, unseen. */
const isStrayUndo = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && /^[yz]$/i.test(key) && !isTyping(target);

/** The page's one key listener. */
export function useShortcuts(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || belongsToControl(event)) return;
      const action = actionFor(event, isTyping(event.target) || isPopupOpen());
      if (!action && isStrayUndo(event)) event.preventDefault();
      if (!action) return;
      event.preventDefault();
      action.run(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
