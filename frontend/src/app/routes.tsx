import { type ComponentType, lazy } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Gate } from './Gate.tsx';
import { Home } from './Home.tsx';
import { visited } from './newVersion.tsx';
import { RouteError } from './RouteError.tsx';
import { Shell } from './shell/Shell.tsx';
import { NotFound } from '../ui/page/NotFound.tsx';

const pages = import.meta.glob<{ default: ComponentType }>('../features/**/*Page.tsx');

/** The route of a page, as far as the build has that page: its code is fetched when it is first visited. */
function page(path: string, name: string): RouteObject[] {
  const load = pages[`../features/${name}.tsx`];
  if (!load) return [];
  const Page = lazy(() => visited(load));
  return [{ path, element: <Page />, errorElement: <RouteError /> }];
}

/** The addresses of the product. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Gate />,
      errorElement: <RouteError />,
      children: [
        ...page('/setup', 'auth/SetupPage'),
        ...page('/sign-in', 'auth/SignInPage'),
        ...page('/join', 'auth/JoinPage'),
        ...page('/forgot-password', 'auth/ForgotPasswordPage'),
        ...page('/reset-password', 'auth/ResetPasswordPage'),
        {
          element: <Shell />,
          children: [
            { path: '/', element: <Home /> },
            ...page('/profile', 'settings/account/ProfilePage'),
            ...page('/workflows', 'workflows/WorkflowsPage'),
            ...page('/workflows/:graphId', 'editor/EditorPage'),
            ...page('/workflows/:graphId/chat', 'chat/ChatPage'),
            ...page('/workflows/:graphId/form', 'chat/FormPage'),
            ...page('/workflows/:graphId/triggers', 'triggers/TriggersPage'),
            ...page('/workflows/:graphId/use', 'called/use/UsePage'),
            ...page('/reference', 'called/reference/ReferencePage'),
            ...page('/runs', 'runs/RunsPage'),
            ...page('/runs/causes', 'runs/causes/CausesPage'),
            ...page('/runs/bulk', 'runs/bulk/BulkJobsPage'),
            ...page('/runs/bulk/:jobId', 'runs/bulk/BulkJobPage'),
            ...page('/runs/compare', 'runs/RunComparePage'),
            ...page('/runs/:runId', 'runs/RunPage'),
            ...page('/inbox', 'inbox/InboxPage'),
            ...page('/inbox/:requestId', 'inbox/InboxPage'),
            ...page('/mentions', 'comments/told/MentionsPage'),
            ...page('/memory', 'memory/MemoryPage'),
            ...page('/memory/:factId', 'memory/MemoryPage'),
            ...page('/dashboard', 'dashboards/DashboardPage'),
            ...page('/dashboard/:board', 'dashboards/DashboardPage'),
            ...page('/notifications', 'settings/account/NotificationsPage'),
            ...page('/settings', 'settings/SettingsPage'),
            ...page('/settings/:section', 'settings/SettingsPage'),
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]);
}
