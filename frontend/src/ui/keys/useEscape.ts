import { useEffect } from 'react';

/** Where Escape is heard by what is open itself, or means something that lies above it. */
const HEARD = '.mantine-Popover-dropdown, .mantine-Menu-dropdown, [aria-modal="true"]';

/** Close what is open at Escape also while the focus is outside it: Mantine hears keys inside alone,
 * and moves the focus in some frames after a press has opened it. */
export function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      if (event.target instanceof Element && event.target.closest(HEARD)) return;
      event.preventDefault();
      event.stopPropagation(); // one press closes one thing
      close();
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, [isOpen, close]);
}
