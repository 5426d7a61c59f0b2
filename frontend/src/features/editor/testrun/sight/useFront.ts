import { useCallback, useState } from 'react';

interface Front {
  /** Whether the sheet of what is chosen is shown. */
  sheet: boolean;
  /** Whether the panel of test runs is folded to its head. */
  folded: boolean;
  /** For whatever is pressed outside the panel. */
  onSheet: () => void;
  /** For whatever is pressed in the panel, or opens it. */
  onPanel: () => void;
}

/**
 * On a phone the sheet of what is chosen and the panel of test runs have no room beside the outline at once:
 * the one that is used lies in front, and of the panel at least the head stays. Elsewhere both are shown.
 */
export function useFront(phone: boolean, testing: boolean, chosen: boolean): Front {
  const [front, setFront] = useState<'sheet' | 'panel'>('sheet');
  const [was, setWas] = useState(testing);
  if (was !== testing) {
    setWas(testing);
    setFront('panel');
  }
  const both = phone && testing && chosen;
  return {
    sheet: chosen && !(both && front === 'panel'),
    folded: both && front === 'sheet',
    onSheet: useCallback(() => setFront('sheet'), []),
    onPanel: useCallback(() => setFront('panel'), []),
  };
}
