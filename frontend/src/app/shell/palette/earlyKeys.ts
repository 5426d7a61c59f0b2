/** What is typed between `Mod+K` and the moment in which the palette is there to take it. */

/** The name of the palette's field. */
export const PALETTE = 'Go to anything';
const LONGEST_MS = 5000;

let typed = '';
let entered = false;
let stop = (): void => undefined;

const isPalette = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.getAttribute('aria-label') === PALETTE;

function keep(event: KeyboardEvent): void {
  if (isPalette(event.target)) return stop();
  if (event.key === 'Escape') {
    typed = '';
    entered = false;
    return stop();
  }
  const isLetter = event.key.length === 1;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!isLetter && event.key !== 'Backspace' && event.key !== 'Enter') return;
  if (event.key === 'Enter') entered = typed !== '';
  typed = event.key === 'Backspace' ? typed.slice(0, -1) : typed + (isLetter ? event.key : '');
  event.preventDefault(); // nor may it do something on the page behind
  event.stopImmediatePropagation();
}

/** Keep what is typed from now on, until the palette's field has it. */
export function keepTyped(): void {
  stop();
  typed = '';
  entered = false;
  window.addEventListener('keydown', keep, true);
  const late = window.setTimeout(() => stop(), LONGEST_MS);
  stop = () => {
    window.clearTimeout(late);
    window.removeEventListener('keydown', keep, true);
  };
}

/** What was typed meanwhile, and whether Enter was pressed after it; from now on the field takes it itself. */
export function takeTyped(): { text: string; entered: boolean } {
  stop();
  const taken = { text: typed, entered };
  typed = '';
  entered = false;
  return taken;
}
