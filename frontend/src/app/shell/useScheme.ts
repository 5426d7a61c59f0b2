import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useCallback } from 'react';

/** Gives the function that switches to the other scheme and remembers it; until then the system setting rules. */
export function useToggleScheme(): () => void {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  return useCallback(
    () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    [scheme, setColorScheme],
  );
}
