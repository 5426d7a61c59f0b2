import type { KeyboardEvent } from 'react';

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const stopsIn = (part: Element | null | undefined): HTMLElement[] =>
  [...(part?.querySelectorAll<HTMLElement>(STOPS) ?? [])].filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled, [type="hidden"]'),
  );

/** Tab from the last field that one edits goes on to the comment and the buttons; the way back is as ever. */
export function tabOn(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab' || event.shiftKey || event.defaultPrevented) return;
  if (stopsIn(event.currentTarget).at(-1) !== event.target) return;
  const [next] = stopsIn(event.currentTarget.closest('article')?.querySelector('footer'));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
