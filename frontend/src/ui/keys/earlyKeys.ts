/** What is typed between asking for a palette and the moment in which it is there to take it. */

/** The name of the field of the palette that goes to anything. */
export const PALETTE = 'Go to anything';
/** The name of the field of the palette that adds a node. */
export const ADDING = 'Add a node';
const LONGEST_MS = 5000;
/** What would do something with what is selected on the page behind. */
const OTHERS = /^(Delete|Tab|Arrow(Left|Right|Up|Down))$/;

let typed = '';
let entered = false;
let stop = (): void => undefined;

const isField = (target: EventTarget | null, name: string): boolean =>
  target instanceof HTMLInputElement && target.getAttribute('aria-label') === name;

/** Nor may it do something on the page behind. */
function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function keep(event: KeyboardEvent): void {
  const isLetter = event.key.length === 1;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (OTHERS.test(event.key)) return swallow(event);
  if (!isLetter && event.key !== 'Backspace' && event.key !== 'Enter') return;
  if (event.key === 'Enter') entered = true;
  typed = event.key === 'Backspace' ? typed.slice(0, -1) : typed + (isLetter ? event.key : '');
  swallow(event);
}

/** Keep what is typed from now on, until the palette's field of that name has it. With Escape it is `left`. */
export function keepTyped(field: string, left?: () => void): void {
  takeTyped();
  const hear = (event: KeyboardEvent) => {
    if (isField(event.target, field)) return stop();
    if (event.key !== 'Escape') return keep(event);
    takeTyped();
    if (!left) return;
    swallow(event);
    left();
  };
  window.addEventListener('keydown', hear, true);
  const late = window.setTimeout(() => stop(), LONGEST_MS);
  stop = () => {
    window.clearTimeout(late);
    window.removeEventListener('keydown', hear, true);
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
