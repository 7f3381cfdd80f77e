import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { SignIn } from '../pages/sign-in/sign-in.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';
import { RequireSession } from './require-session.tsx';

type Page = () => React.ReactNode;

/** Declares a page whose script is loaded on demand. */
function page(path: string, load: () => Promise<Page>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }), ErrorBoundary: PageError };
}

export function createRouter() {
  return createBrowserRouter(
    [
      { path: '/sign-in', Component: SignIn, ErrorBoundary: PageError },
      {
        ...page('/sign-in/link', async () => (await import('../pages/sign-in/confirm-link.tsx')).ConfirmLink),
        HydrateFallback: Waiting,
      },
      {
        element: <RequireSession userRole="operator" />,
        ErrorBoundary: PageError,
        HydrateFallback: Waiting,
        path: '/operator',
        children: [
          page('', async () => (await import('../pages/operator/overview/overview.tsx')).Overview),
          page('accounts', async () => (await import('../pages/operator/accounts/accounts.tsx')).Accounts),
          page('captures', async () => (await import('../pages/operator/captures.tsx')).AllCaptures),
          page('deliveries', async () => (await import('../pages/operator/deliveries.tsx')).AllDeliveries),
          page('deliveries/:id', async () => (await import('../pages/operator/deliveries.tsx')).AnyDelivery),
          page('queues', async () => (await import('../pages/operator/queues.tsx')).Queues),
          page('processes', async () => (await import('../pages/operator/processes.tsx')).Processes),
          page('activity', async () => (await import('../pages/operator/activity/activity.tsx')).ActivityPage),
          page('cleanup-jobs', async () => (await import('../pages/operator/cleanup-jobs.tsx')).CleanupJobs),
          { path: '*', Component: NotFound },
        ],
      },
      {
        element: <RequireSession userRole="account" />,
        ErrorBoundary: PageError,
        HydrateFallback: Waiting,
        children: [
          { index: true, element: <Navigate to="/playground" replace /> },
          page('/playground', async () => (await import('../pages/playground/playground.tsx')).Playground),
          page('/captures', async () => (await import('../pages/captures/gallery.tsx')).Gallery),
          page('/captures/:id', async () => (await import('../pages/captures/capture.tsx')).Capture),
          page('/batches', async () => (await import('../pages/batches/batches.tsx')).Batches),
          page('/batches/new', async () => (await import('../pages/batches/new-batch.tsx')).NewBatch),
          page('/batches/:id', async () => (await import('../pages/batches/batch.tsx')).BatchPage),
          page('/presets', async () => (await import('../pages/presets/presets.tsx')).Presets),
          page('/links', async () => (await import('../pages/links/links.tsx')).Links),
          page('/webhooks', async () => (await import('../pages/webhooks/webhooks.tsx')).Webhooks),
          page('/deliveries', async () => (await import('../pages/deliveries/delivery-log.tsx')).DeliveryLog),
          page('/deliveries/:id', async () => (await import('../pages/deliveries/delivery.tsx')).DeliveryPage),
          page('/usage', async () => (await import('../pages/usage/usage.tsx')).Usage),
          page('/keys', async () => (await import('../pages/keys/keys.tsx')).Keys),
          { path: '*', Component: NotFound },
        ],
      },
    ],
    { basename: '/dashboard' },
  );
}
