import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { Bare, NotFoundPage, RootErrorPage } from './features/shell/error-pages.tsx';
import { LoginLayout } from './features/shell/login-layout.tsx';
import { RootShell } from './features/shell/root-shell.tsx';
import { safeNext } from './lib/next.ts';
import { getUser } from './lib/session.ts';

const root = createRootRoute({
  component: RootShell,
  notFoundComponent: () => (
    <Bare>
      <NotFoundPage />
    </Bare>
  ),
  errorComponent: ({ error }) => (
    <Bare>
      <RootErrorPage error={error} />
    </Bare>
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  id: 'login',
  component: LoginLayout,
  validateSearch: (search: Record<string, unknown>): { next?: string } => (typeof search['next'] === 'string' ? { next: search['next'] } : {}),
  beforeLoad: ({ search }) => {
    if (getUser()) throw redirect({ href: safeNext(search.next) });
  },
});

/** Everything behind the sign-in; who comes without is sent there and back. */
const guarded = createRoute({
  getParentRoute: () => root,
  id: 'guarded',
  component: () => <Outlet />,
  beforeLoad: ({ location }) => {
    if (!getUser()) throw redirect({ to: '/Login', search: location.href === '/' ? {} : { next: location.href } });
  },
});

const app = createRoute({ getParentRoute: () => guarded, id: 'default', component: lazyRouteComponent(() => import('./features/shell/default-layout.tsx'), 'DefaultLayout') });

const pages = [
  createRoute({ getParentRoute: () => app, path: '/', component: lazyRouteComponent(() => import('./pages/home.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Bot', component: lazyRouteComponent(() => import('./pages/bots.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Bot/$id', component: lazyRouteComponent(() => import('./pages/bot.tsx')) }),
  createRoute({
    getParentRoute: () => app,
    path: '/Bot/$id/Chat',
    component: lazyRouteComponent(() => import('./pages/bot-chat.tsx')),
    validateSearch: (search: Record<string, unknown>): { thread?: string } => (typeof search['thread'] === 'string' ? { thread: search['thread'] } : {}),
  }),
  createRoute({ getParentRoute: () => app, path: '/Document', component: lazyRouteComponent(() => import('./pages/documents.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Knowledge', component: lazyRouteComponent(() => import('./pages/knowledges.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Knowledge/Add', component: lazyRouteComponent(() => import('./pages/knowledge-add.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Knowledge/$id/documents', component: lazyRouteComponent(() => import('./pages/knowledge.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Knowledge/$id/documents/Create', component: lazyRouteComponent(() => import('./pages/document-create.tsx')) }),
  createRoute({ getParentRoute: () => app, path: '/Knowledge/$id/documents/$documentId', component: lazyRouteComponent(() => import('./pages/document.tsx')) }),
] as const;

const entries = [
  createRoute({ getParentRoute: () => login, path: '/Login', component: lazyRouteComponent(() => import('./pages/login.tsx')) }),
  createRoute({ getParentRoute: () => login, path: '/Register', component: lazyRouteComponent(() => import('./pages/register.tsx')) }),
] as const;

const routeTree = root.addChildren([login.addChildren(entries), guarded.addChildren([app.addChildren(pages)])]);

export const router = createRouter({ routeTree, caseSensitive: true, defaultPreload: 'intent', scrollRestoration: true, defaultErrorComponent: RootErrorPage, defaultNotFoundComponent: NotFoundPage, defaultRemountDeps: ({ params }) => params });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
