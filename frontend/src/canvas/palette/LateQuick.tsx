import { type ComponentType, useEffect, useState } from 'react';
import type { QuickPaletteProps } from './QuickPalette.tsx';

let loaded: ComponentType<QuickPaletteProps> | null = null;

/** Fetch the palette beside the first page and not before it. */
export async function loadQuick(): Promise<ComponentType<QuickPaletteProps>> {
  loaded ??= (await import('./QuickPalette.tsx')).QuickPalette;
  return loaded;
}

/** The palette at the pointer. No `lazy`: that keeps what is there already hidden for a third of a second, while somebody types. */
export function LateQuick(props: QuickPaletteProps) {
  const [Quick, setQuick] = useState<ComponentType<QuickPaletteProps> | null>(() => loaded);
  const { onClose } = props;
  useEffect(() => {
    let isLeft = false;
    if (!Quick)
      void loadQuick().then(
        (component) => !isLeft && setQuick(() => component),
        () => !isLeft && onClose(),
      );
    return () => void (isLeft = true);
  }, [Quick, onClose]);
  return Quick ? <Quick {...props} /> : null;
}
