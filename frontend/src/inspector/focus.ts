import { useEffect } from 'react';
import { create } from 'zustand';
import { normalPath } from './form/context.ts';

/** The field that a person asked to see; `at` tells two requests for the same field apart. */
interface FocusRequest {
  path: string;
  at: number;
  /** What is looked for first inside the field. */
  first: string;
}

const TYPED =
  'input:not([type="hidden"]):not([type="radio"]):not(:disabled), textarea:not(:disabled), [contenteditable="true"]';
/** What a field has that takes no text: a choice, which says more than a button beside it. */
const OTHERS = [
  'input:checked',
  'input:not([type="hidden"]):not(:disabled)',
  'button:not(:disabled)',
];

/** Where the cursor goes in a field: to what is asked for, else where one types, else to another control. */
function controlIn(field: HTMLElement, first: string): HTMLElement | null {
  if (field.matches(TYPED)) return field;
  for (const wanted of [first, TYPED, ...OTHERS]) {
    const control = field.querySelector<HTMLElement>(wanted);
    if (control) return control;
  }
  return null;
}

let requests = 0;
const useRequest = create<{ request: FocusRequest | null }>(() => ({ request: null }));

/** The place of a problem inside its node or edge: `nodes[2].config.prompt` is `config.prompt`. */
export const placeInside = (path: string) => normalPath(path).replace(/^(nodes|edges)\.\d+\.?/, '');

function ask(path: string, first: string): void {
  requests += 1;
  const place = placeInside(path);
  useRequest.setState({ request: place ? { path: place, at: requests, first } : null });
}

/** Ask the inspector to open the group of a field and put the cursor into it. */
export const requestFocus = (path: string): void => ask(path, TYPED);

/** Ask for the row of a table of fields in which new ones get their names. */
export const requestNew = (path: string): void => ask(path, '[data-field-new]');

/** Open a group that holds the requested field. */
export function useOpenFor(holds: ((path: string) => boolean) | undefined, open: () => void): void {
  const request = useRequest((state) => state.request);
  useEffect(() => {
    if (request && holds?.(request.path)) open();
  }, [request]); // eslint-disable-line react-hooks/exhaustive-deps -- once for each request
}

/** The field of a panel that is nearest to a path: the same, else the one around it. */
export function fieldAt(panel: ParentNode, path: string): HTMLElement | null {
  const fields = [...panel.querySelectorAll<HTMLElement>('[data-field]')];
  const around = fields.filter(
    ({ dataset: { field = '' } }) => path === field || path.startsWith(`${field}.`),
  );
  return (
    around.toSorted(
      (a, b) => (b.dataset['field'] ?? '').length - (a.dataset['field'] ?? '').length,
    )[0] ?? null
  );
}

const TRIES = 120;

/** Keep what is typed from now on from the canvas and its shortcuts; `type` puts it where the cursor is. */
function holdTyping() {
  let early = '';
  const hold = (event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(TYPED)) return;
    event.preventDefault();
    event.stopPropagation();
    early += event.key;
  };
  const stop = () => window.removeEventListener('keydown', hold, true);
  window.addEventListener('keydown', hold, true);
  const type = () => {
    stop();
    // the one way to type into fields of React and of the code editor alike, and to keep their undo
    if (early) document.execCommand('insertText', false, early);
  };
  return { stop, type };
}

/** Put the cursor into the requested field as soon as the panel shows it: it and its editors of code arrive a little later. */
export function useFieldFocus(panel: React.RefObject<HTMLElement | null>): void {
  const request = useRequest((state) => state.request);
  useEffect(() => {
    if (!request) return;
    const typing = holdTyping();
    let frame = 0;
    const look = (left: number) => {
      const field = panel.current ? fieldAt(panel.current, request.path) : null;
      const control = field && controlIn(field, request.first);
      if (control) {
        control.focus({ preventScroll: true });
        control.scrollIntoView({ block: 'center' });
        if (control instanceof HTMLInputElement) control.select();
        if (control.matches(TYPED)) typing.type();
        useRequest.setState({ request: null });
      } else if (left > 0) frame = requestAnimationFrame(() => look(left - 1));
      else typing.stop();
    };
    frame = requestAnimationFrame(() => look(TRIES));
    return () => {
      typing.stop();
      cancelAnimationFrame(frame);
    };
  }, [request, panel]);
}
