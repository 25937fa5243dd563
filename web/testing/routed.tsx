import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { show } from './show.tsx';

/** Draws what links elsewhere or keeps a person from leaving, at an address of its own; any other address shows only itself. */
export async function showRouted(children: ReactNode) {
  const root = createRootRoute({
    component: () => children,
    notFoundComponent: () => <output>{router.state.location.href}</output>,
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });
  const shown = show(
    <>
      <RouterProvider router={router} />
      <i data-testid="drawn" />
    </>,
  );
  await screen.findByTestId('drawn');
  await router.load();
  return { ...shown, router };
}
