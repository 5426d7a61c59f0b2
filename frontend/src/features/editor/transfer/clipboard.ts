import { notifications } from '@mantine/notifications';
import { messageOf } from '../../../api/http/client.ts';
import { freePlace } from '../../../canvas/placing.ts';
import { type Clip, copy } from '../../../graph/editing/clip/copy.ts';
import { paste, type Pasted, readClip } from '../../../graph/editing/clip/paste.ts';
import { NODE_WIDTH } from '../../../graph/layout/layout.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { copyText } from '../../../ui/copyText.ts';
import { keyCaps } from '../../../ui/keys/keys.ts';
import { clipOf, cutOut, useLanded } from './clipboardEvents.ts';

const origin = { x: 0, y: 0 };
/** The height that a card with its ports hardly exceeds. */
const CARD = 132;

/** Put the selection on the clipboard, and with `cut` take it away, when no key of the browser did. */
export async function copyClipboard(cut: boolean): Promise<void> {
  const ids = new Set(selectedIds());
  try {
    await copyText(clipOf(ids));
    if (cut) cutOut(ids);
  } catch (error) {
    notifications.show({
      title: cut ? 'Not cut' : 'Not copied',
      message: messageOf(error),
      color: 'red',
    });
  }
}

/** The room that a clip takes. */
function sizeOf({ nodes, notes }: Clip): { width: number; height: number } {
  const boxes = [
    ...nodes.map((node) => ({ ...(node.position ?? origin), width: NODE_WIDTH, height: CARD })),
    ...notes.map((note) => ({ ...note.position, ...(note.size ?? { width: 240, height: 120 }) })),
  ];
  const span = (from: number[], to: number[]) => Math.max(...to) - Math.min(...from);
  return {
    width: span(
      boxes.map((box) => box.x),
      boxes.map((box) => box.x + box.width),
    ),
    height: span(
      boxes.map((box) => box.y),
      boxes.map((box) => box.y + box.height),
    ),
  };
}

/** Say which start fields came along, and which hold something else here. */
function sayCame({ came, clashes }: Pasted): void {
  const names = came.map((name) => `“${name}”`).join(', ');
  const lines = [
    ...(came.length > 0
      ? [`Start now asks for ${names} as well, which the pasted nodes read.`]
      : []),
    ...clashes.map(
      ({ name, here, there }) =>
        `“${name}” is ${here} here, and was ${there} where it was copied: look at what reads it.`,
    ),
  ];
  if (lines.length === 0) return;
  const title =
    clashes.length > 0
      ? 'A start field differs'
      : came.length > 1
        ? 'Start fields came along'
        : 'A start field came along';
  notifications.show({
    title,
    message: lines.join(' '),
    ...(clashes.length > 0 ? { color: 'orange', autoClose: false } : {}),
  });
}

/** Paste the clip in a text at a corner, or in the next free room below; text that is no clip does nothing. Gives whether it was one. */
export function pasteText(
  text: string,
  corner: { x: number; y: number },
  keepWires: boolean,
): boolean {
  const clip = readClip(text);
  if (!clip || clip.nodes.length + clip.notes.length === 0) return false;
  let pasted = null as Pasted | null;
  const free = freePlace(corner, sizeOf(clip));
  useEditor.getState().gesture('Paste', (records) => {
    const { types, reserved } = useEditor.getState();
    pasted = paste(records, clip, free, types, keepWires, reserved);
    return pasted.records;
  });
  const ids = pasted?.ids ?? [];
  useEditor.getState().select(ids);
  useLanded.setState({ ids });
  if (pasted) sayCame(pasted);
  return true;
}

/** Paste what the clipboard holds at a corner. The browser may keep the clipboard to itself; then it says how else. */
export async function pasteClipboard(
  corner: { x: number; y: number },
  keepWires: boolean,
): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    if (!pasteText(text, corner, keepWires))
      notifications.show({ title: 'Nothing to paste', message: 'The clipboard holds no nodes.' });
  } catch {
    notifications.show({
      title: 'Not pasted',
      message: `The browser lets no page read the clipboard here. ${keyCaps('Mod+V').join('+')} works.`,
      color: 'orange',
    });
  }
}

/** The selection again, a little to the lower right. */
export function duplicate(): void {
  const { records } = useEditor.getState();
  const ids = new Set(selectedIds());
  const clip = copy(records, ids);
  const places = [...clip.nodes, ...clip.notes].map((item) => item.position ?? { x: 0, y: 0 });
  if (places.length === 0) return;
  const corner = {
    x: Math.min(...places.map((place) => place.x)) + 32,
    y: Math.min(...places.map((place) => place.y)) + 96,
  };
  pasteText(JSON.stringify(clip), corner, false);
}
