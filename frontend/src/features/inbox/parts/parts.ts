/** The two parts of the inbox, between which one key leads: the list, and the item with its verbs. */

const LIST = 'section[aria-label="Inbox"]';
const ITEM = 'section[aria-label="Item"]';
const STOPS: Readonly<Record<string, readonly string[]>> = {
  [LIST]: ['[data-item][aria-current]', '[data-item]', 'input'],
  [ITEM]: ['footer button:not([disabled])', 'article button:not([disabled])', 'a, button'],
};

/** Put the focus from the item on its entry in the list, from anywhere else on what decides the item. */
export function goToOtherPart(): void {
  const isInItem = document.activeElement?.closest(ITEM) !== null;
  const part = isInItem ? LIST : ITEM;
  stopIn(part)?.focus();
}

/** Give the keys to the list: what was chosen from a field takes none of them then. */
export function goToList(): void {
  const stop = stopIn(LIST);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (stop?.matches('[data-item]')) stop.focus({ preventScroll: true });
}

/** Where the focus goes in a part. */
function stopIn(part: string): HTMLElement | null {
  const stops = (STOPS[part] ?? []).map((stop) =>
    document.querySelector<HTMLElement>(`${part} :is(${stop})`),
  );
  return stops.find((stop) => stop !== null) ?? null;
}
