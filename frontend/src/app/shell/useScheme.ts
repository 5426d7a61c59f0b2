import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { api } from '../../api/http/client.ts';
import { sessionQuery, useSession } from '../../api/http/queries.ts';

/** Lets pages look as the person chose, in whichever browser; who never chose keeps what the browser has. */
export function useOwnScheme(): void {
  const { setColorScheme } = useMantineColorScheme();
  const theme = useSession().data?.user?.theme ?? null;
  useEffect(() => {
    if (theme !== null) setColorScheme(theme);
  }, [theme, setColorScheme]);
}

/** Gives the function that switches to the other scheme and keeps it with the person; until then the system rules. */
export function useToggleScheme(): () => void {
  const { setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const scheme = useComputedColorScheme('light');
  return useCallback(() => {
    const theme = scheme === 'dark' ? 'light' : 'dark';
    setColorScheme(theme);
    const known = client.getQueryData(sessionQuery.queryKey);
    if (!known?.user) return;
    client.setQueryData(sessionQuery.queryKey, { ...known, user: { ...known.user, theme } });
    // Where the server does not hear of it, this browser keeps it all the same.
    api.patch('profile/', { theme }).catch(() => undefined);
  }, [client, scheme, setColorScheme]);
}
