const apple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

const caps: Record<string, string> = apple
  ? {
      Mod: '⌘',
      Shift: '⇧',
      Alt: '⌥',
      Enter: '↩',
      Backspace: '⌫',
      Delete: '⌦',
      ArrowLeft: '←',
      ArrowRight: '→',
      ArrowUp: '↑',
      ArrowDown: '↓',
      ContextMenu: 'Menu',
    }
  : {
      Mod: 'Ctrl',
      ArrowLeft: '←',
      ArrowRight: '→',
      ArrowUp: '↑',
      ArrowDown: '↓',
      Delete: 'Del',
      ContextMenu: 'Menu',
    };

/** The parts of a shortcut; `+` itself stands for its key when it ends the text. */
function parts(keys: string): string[] {
  return keys.endsWith('++') ? [...keys.slice(0, -2).split('+'), '+'] : keys.split('+');
}

/** What is printed on the keys of this machine, in order. */
export function keyCaps(keys: string): string[] {
  return parts(keys).map((part) => caps[part] ?? part);
}

export interface KeyStroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether a symbol came as many keyboards write it: with AltGr, which is told as Ctrl and Alt, or with Option. */
const isTyped = (keys: string, { altKey, ctrlKey, metaKey }: KeyStroke): boolean =>
  keys.length === 1 && altKey && !metaKey && (ctrlKey || apple);

/** Whether a stroke is this shortcut. Digits and letters are compared by place when Shift or Alt changes their character. */
export function matchesKeys(keys: string, stroke: KeyStroke): boolean {
  const all = parts(keys);
  const key = all[all.length - 1] ?? '';
  const has = (name: string) => all.slice(0, -1).includes(name);
  const mod = stroke.ctrlKey || stroke.metaKey;
  const symbol = key.length === 1 && !/[a-z0-9]/i.test(key);
  if (symbol && stroke.key === key && isTyped(keys, stroke)) return true;
  if (has('Mod') !== mod || has('Alt') !== stroke.altKey) return false;
  if (!symbol && has('Shift') !== stroke.shiftKey) return false;
  if (stroke.key.toLowerCase() === key.toLowerCase()) return true;
  if (/^[0-9]$/.test(key)) return stroke.code === `Digit${key}`;
  return /^[a-z]$/i.test(key) && stroke.altKey && stroke.code === `Key${key.toUpperCase()}`;
}

const modifiers = new Set(['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'Dead', 'CapsLock']);

/** The shortcut that a stroke is; null while only modifiers are down. */
export function keysFrom(stroke: KeyStroke): string | null {
  if (modifiers.has(stroke.key)) return null;
  const placed = /^(?:Digit|Key)([0-9A-Z])$/.exec(stroke.code)?.[1];
  const key =
    placed && (stroke.altKey || stroke.shiftKey)
      ? placed
      : stroke.key.length === 1
        ? stroke.key.toUpperCase()
        : stroke.key;
  const symbol = key.length === 1 && !/[A-Z0-9]/.test(key);
  const held = [
    stroke.ctrlKey || stroke.metaKey ? 'Mod' : '',
    stroke.altKey ? 'Alt' : '',
    stroke.shiftKey && !symbol ? 'Shift' : '',
  ];
  return [...held.filter(Boolean), key === ' ' ? 'Space' : key].join('+');
}

/** Whether a shortcut is a single printable key: those can be switched off and never fire while typing. */
export function isSingleKey(keys: string): boolean {
  const all = parts(keys);
  return all.length === 1 && (all[0] ?? '').length === 1;
}
