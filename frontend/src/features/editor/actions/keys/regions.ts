/** The parts of the editor between which F6 goes, in the order of the page. */
const REGIONS = '[data-region]';
const STOPS =
  'input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [contenteditable="true"], button:not(:disabled), a[href], [tabindex]:not([tabindex="-1"])';

const last = new WeakMap<Element, HTMLElement>();

const shown = (region: HTMLElement) =>
  region.getClientRects().length > 0 && region.closest('[inert]') === null;

/** Where the focus goes in a part: to where it was, else to the part itself, else to its first control. */
function stopIn(region: HTMLElement): HTMLElement | null {
  const before = last.get(region);
  if (before?.isConnected && region.contains(before)) return before;
  return region.matches('[tabindex]') ? region : region.querySelector<HTMLElement>(STOPS);
}

/**
 * Put the focus into the next (1) or the last (-1) part of the editor. Who stands in no part, as on a page
 * just opened, stands between the bar and the drawing.
 */
export function goToRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(shown);
  const focused = document.activeElement;
  const here = regions.findIndex((region) => region.contains(focused));
  const from = regions[here];
  if (from && focused instanceof HTMLElement) last.set(from, focused);
  const below = regions.findIndex((region) => region.dataset['region'] !== 'bar');
  const first = from ? here + by : by > 0 ? below : below - 1;
  for (let step = 0; step < regions.length; step += 1) {
    const at = (first + by * step + regions.length * 2) % regions.length;
    const stop = regions[at] ? stopIn(regions[at]) : null;
    if (stop) return stop.focus();
  }
}
