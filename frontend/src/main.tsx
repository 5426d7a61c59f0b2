import '@fontsource-variable/inter/index.css';
import './app/look/components.css';
import '@mantine/notifications/styles.css';
import './app/look/theme.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { FreshClient } from './api/cache/freshClient.ts';
import { ApiError } from './api/http/client.ts';
import { cspNonce } from './api/http/nonce.ts';
import { sessionQuery } from './api/http/queries.ts';
import { BusyNotice } from './app/BusyNotice.tsx';
import { watchForNewVersions } from './app/newVersion.tsx';
import { createRouter } from './app/routes.tsx';
import { Notices } from './app/shell/openLate.ts';
import { cssVariablesResolver, theme } from './app/look/theme.ts';

/** Whoever was signed out elsewhere is asked to sign in at the next word from the server, not left in a dead page. */
function onError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401)
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

const queryClient = new FreshClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

setNonce(cspNonce());
watchForNewVersions();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
        <RouterProvider router={createRouter()} />
        <BusyNotice />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
