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
  const stops = (STOPS[part] ?? []).map((stop) =>
    document.querySelector<HTMLElement>(`${part} :is(${stop})`),
  );
  stops.find((stop) => stop !== null)?.focus();
}
