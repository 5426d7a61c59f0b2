import { type ComponentType, lazy } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Gate } from './Gate.tsx';
import { Home } from './Home.tsx';
import { NotFound, RouteError } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

const pages = import.meta.glob<{ default: ComponentType }>('../pages/*Page.tsx');

/** The route of a page, as far as the build has that page: its code is fetched when it is first visited. */
function page(path: string, name: string): RouteObject[] {
  const load = pages[`../pages/${name}.tsx`];
  if (!load) return [];
  const Page = lazy(load);
  return [{ path, element: <Page />, errorElement: <RouteError /> }];
}

/** The addresses of the product. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Gate />,
      errorElement: <RouteError />,
      children: [
        ...page('/setup', 'SetupPage'),
        ...page('/sign-in', 'SignInPage'),
        ...page('/join', 'JoinPage'),
        ...page('/forgot-password', 'ForgotPasswordPage'),
        ...page('/reset-password', 'ResetPasswordPage'),
        {
          element: <Shell />,
          children: [
            { path: '/', element: <Home /> },
            ...page('/profile', 'ProfilePage'),
            ...page('/workflows', 'WorkflowsPage'),
            ...page('/workflows/:graphId', 'EditorPage'),
            ...page('/workflows/:graphId/chat', 'ChatPage'),
            ...page('/workflows/:graphId/form', 'FormPage'),
            ...page('/runs', 'RunsPage'),
            ...page('/runs/compare', 'RunComparePage'),
            ...page('/runs/:runId', 'RunPage'),
            ...page('/inbox', 'InboxPage'),
            ...page('/inbox/:requestId', 'InboxPage'),
            ...page('/memory', 'MemoryPage'),
            ...page('/memory/:factId', 'MemoryPage'),
            ...page('/dashboard', 'DashboardPage'),
            ...page('/dashboard/:board', 'DashboardPage'),
            ...page('/notifications', 'NotificationsPage'),
            ...page('/settings', 'SettingsPage'),
            ...page('/settings/:section', 'SettingsPage'),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]);
}
