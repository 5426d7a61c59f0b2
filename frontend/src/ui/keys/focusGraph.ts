/** Put the focus back on what is drawn: in the outline where it is open, else on the canvas. */
export function focusGraph(): void {
  const row = '[data-region="outline"] [role="treeitem"][tabindex="0"]';
  (
    document.querySelector<HTMLElement>(row) ??
    document.querySelector<HTMLElement>('[data-region="canvas"]')
  )?.focus({ preventScroll: true });
}
