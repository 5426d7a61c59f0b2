import { VisuallyHidden } from '@mantine/core';
import { useAnnounced } from '../announce.ts';

/** The place from which screen readers read what is announced. One a page. */
export function Announcer() {
  const { words, count } = useAnnounced();
  return (
    <VisuallyHidden aria-live="polite" aria-atomic data-announcer>
      {words}
      {count % 2 === 1 ? ' ' : ''}
    </VisuallyHidden>
  );
}
