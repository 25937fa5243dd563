import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Bare, NotFoundPage, RootErrorPage } from './features/shell/error-pages.tsx';
import { LoginLayout } from './features/shell/login-layout.tsx';
import { RootShell } from './features/shell/root-shell.tsx';
import { i18n } from './lib/i18n.ts';
import { safeNext } from './lib/next.ts';
import { getUser, may } from './lib/session.ts';

/** What stands after the `?`: texts, since a code may look like a number. */
type Search = Record<string, string>;

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

/** A card in the middle of the page, for who is signed in and who is not. */
const card = createRoute({ getParentRoute: () => root, id: 'card', component: LoginLayout });

/** The same for who is not signed in; whoever is goes on to where they wanted. */
const login = createRoute({
  getParentRoute: () => card,
  id: 'login',
  validateSearch: (search: Search): Search => search,
  beforeLoad: ({ search }) => {
    if (getUser()) throw redirect({ href: safeNext(search['next']) });
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

const app = createRoute({
  getParentRoute: () => guarded,
  id: 'default',
  component: lazyRouteComponent(() => import('./features/shell/default-layout.tsx'), 'DefaultLayout'),
});

/** What can only be looked at by changing it is not shown to who may not. */
function forEditors(instead: string): void {
  if (!may('edit')) throw redirect({ href: instead });
}

/** Asks for a page's texts together with the page; by itself it would ask for them one after the other, when it is drawn. */
function withTexts<T>(page: Promise<T>, ...texts: string[]): Promise<T> {
  void i18n.loadNamespaces(texts).catch(() => {}); // told by the attempt that needs it
  return page;
}

const withTab = ({ tab }: Search): { tab?: string } => (tab ? { tab } : {});

const pages = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/home.tsx')),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Bot',
    component: lazyRouteComponent(() => import('./pages/bots.tsx')),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Bot/$id',
    component: lazyRouteComponent(() => import('./pages/bot.tsx')),
    beforeLoad: ({ params }) => forEditors(`/Bot/${params.id}/Chat`),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Bot/$id/Chat',
    component: lazyRouteComponent(() => withTexts(import('./pages/bot-chat.tsx'), 'conversations', 'bots')),
    validateSearch: ({ thread }: Search): { thread?: string } => (thread ? { thread } : {}),
    // Not waited for: the page is drawn while its data is on the way.
    loader: ({ params, location }) =>
      void import('./pages/bot-chat.tsx').then(
        ({ prefetch }) => prefetch(params.id, new URLSearchParams(location.searchStr).get('thread') ?? undefined),
        () => {}, // told by the attempt that draws it
      ),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Account',
    component: lazyRouteComponent(() => import('./pages/account.tsx')),
    validateSearch: withTab,
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Team',
    component: lazyRouteComponent(() => import('./pages/team.tsx')),
    validateSearch: (search: Record<string, unknown>): { new?: true } => (search['new'] ? { new: true } : {}),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Token',
    component: lazyRouteComponent(() => import('./pages/token.tsx')),
    validateSearch: withTab,
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Operator',
    component: lazyRouteComponent(() => import('./pages/operator.tsx')),
    validateSearch: withTab,
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Document',
    component: lazyRouteComponent(() => import('./pages/documents.tsx')),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Knowledge',
    component: lazyRouteComponent(() => import('./pages/knowledges.tsx')),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Knowledge/Add',
    component: lazyRouteComponent(() => import('./pages/knowledge-add.tsx')),
    beforeLoad: () => forEditors('/Knowledge'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Knowledge/$id/documents',
    component: lazyRouteComponent(() => import('./pages/knowledge.tsx')),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Knowledge/$id/documents/Create',
    component: lazyRouteComponent(() => import('./pages/document-create.tsx')),
    beforeLoad: () => forEditors('/Knowledge'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: '/Knowledge/$id/documents/$documentId',
    component: lazyRouteComponent(() => import('./pages/document.tsx')),
  }),
] as const;

const entries = [
  createRoute({
    getParentRoute: () => login,
    path: '/Login',
    component: lazyRouteComponent(() => import('./pages/login.tsx')),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/Register',
    component: lazyRouteComponent(() => import('./pages/register.tsx')),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/Forgot-Password',
    component: lazyRouteComponent(() => import('./pages/forgot-password.tsx')),
  }),
] as const;

const withEverything = (search: Search): Search => search;

/** Where links in mails and other people's servers lead, whoever is signed in. */
const landings = [
  createRoute({
    getParentRoute: () => card,
    path: '/Reset-Password',
    component: lazyRouteComponent(() => import('./pages/reset-password.tsx')),
    validateSearch: withEverything,
  }),
  createRoute({
    getParentRoute: () => card,
    path: '/Verify-Email',
    component: lazyRouteComponent(() => import('./pages/verify-email.tsx')),
    validateSearch: withEverything,
  }),
  createRoute({
    getParentRoute: () => card,
    path: '/Invitation',
    component: lazyRouteComponent(() => import('./pages/invitation.tsx')),
    validateSearch: withEverything,
  }),
  createRoute({
    getParentRoute: () => card,
    path: '/api/auth/google/callback',
    component: lazyRouteComponent(() => import('./pages/google-callback.tsx')),
    validateSearch: withEverything,
  }),
] as const;

/** A thread that somebody gave the link of, for anyone. */
const shared = createRoute({
  getParentRoute: () => root,
  path: '/Shared/$token',
  component: lazyRouteComponent(() => import('./pages/shared.tsx')),
});

const routeTree = root.addChildren([
  shared,
  card.addChildren([login.addChildren(entries), ...landings]),
  guarded.addChildren([app.addChildren(pages)]),
]);

export const router = createRouter({
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ).toString();
    return text && `?${text}`;
  },
  routeTree,
  caseSensitive: true,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RootErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultRemountDeps: ({ params }) => params,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
