import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
  type AsyncRouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { pages, type Page } from '../shared/pages.ts';
import type { Access } from '../shared/roles.ts';
import { Bare, NoSuchPage, NotAllowedPage, NotFoundPage, RootErrorPage } from './features/shell/error-pages.tsx';
import { LoginLayout } from './features/shell/login-layout.tsx';
import { RootShell } from './features/shell/root-shell.tsx';
import { i18n } from './lib/i18n.ts';
import { safeNext } from './lib/next.ts';
import { withPageCode } from './lib/page-code.ts';
import { getUser, may, useMay, useUser } from './lib/session.ts';

/** What stands after the `?`: texts, since a code may look like a number. */
type Search = Record<string, string>;

interface PageFile {
  default: ComponentType;
  prefetch?(params: Record<string, string>, search: Search): unknown;
}

const files = import.meta.glob<PageFile>('./pages/*.tsx');

const root = createRootRoute({
  component: RootShell,
  notFoundComponent: NoSuchPage,
  errorComponent: ({ error }) => (
    <Bare>
      <RootErrorPage error={error} />
    </Bare>
  ),
});

const card = createRoute({
  getParentRoute: () => root,
  id: 'card',
  component: LoginLayout,
  validateSearch: (search: Search): Search => search,
});

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: byUser(
    lazyRouteComponent(() => withPageCode(import('./features/shell/default-layout.tsx')), 'DefaultLayout'),
    lazyRouteComponent(() => withPageCode(import('./features/shell/open-layout.tsx')), 'OpenLayout'),
  ),
});

/** Who is signed in sees the first, everybody else the second. */
function byUser(Own: AsyncRouteComponent<object>, Open: AsyncRouteComponent<object>) {
  return Object.assign(() => (useUser() ? <Own /> : <Open />), { preload: () => (getUser() ? Own : Open).preload?.() });
}

/** Who may not is told so where the page would be. */
function byAccess(access: Access, path: string, Own: AsyncRouteComponent<object>) {
  const Guarded = () => {
    const isAllowed = useMay(access);
    // Whoever has just signed out is on their way to another page.
    const isGone = useUser() === undefined;
    return isAllowed || isGone ? <Own /> : <NotAllowedPage access={access} path={path} />;
  };
  return Object.assign(Guarded, { preload: () => Own.preload?.() });
}

type SearchOf<Each> = Each extends { search: readonly (infer Name extends string)[] }
  ? { [Key in Name]?: string }
  : Record<never, never>;

function pageRoute<Parent extends AnyRoute, Each extends Page>(parent: Parent, name: string, page: Each) {
  const path: Each['path'] = page.path;
  const { access, isForGuests, open, search: names = [] } = page;
  const load = () => loadPage(name, getUser() || !open ? page : { ...page, file: open });
  const component = lazyRouteComponent(() => withPageCode(loadPage(name, page)));
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: open
      ? byUser(
          component,
          lazyRouteComponent(() => withPageCode(loadPage(name, { ...page, file: open }))),
        )
      : access
        ? byAccess(access, path, component)
        : component,
    // The names are those that the table has for this page; TypeScript cannot follow them through the filter.
    validateSearch: (search: Search) =>
      Object.fromEntries(
        Object.entries(search).filter(([key, value]) => names.includes(key) && value),
      ) as SearchOf<Each>,
    beforeLoad: ({ search, location: { href } }) => {
      if (parent.id === app.id && !open && !getUser())
        throw redirect({ to: '/Login', search: href === '/' ? {} : { next: href } });
      if (isForGuests && getUser()) throw redirect({ href: safeNext(search['next']) });
    },
    // Not waited for: the page is drawn while its data is on the way.
    loader: ({ params, location }) => {
      if (access && !may(access)) return;
      void load().then(
        ({ prefetch }) => prefetch?.(params, Object.fromEntries(new URLSearchParams(location.searchStr))),
        () => {}, // told by the attempt that draws it
      );
    },
  });
}

/** Asks for a page's texts together with the page; by itself it would ask for them one after the other, when it is drawn. */
function loadPage(name: string, { texts = [], file = name }: Page): Promise<PageFile> {
  if (texts.length > 0) void i18n.loadNamespaces(texts).catch(() => {}); // told by the attempt that needs it
  return files[`./pages/${file}.tsx`]!();
}

/** One route for each page; TypeScript cannot follow them through the loop. */
const routesIn = <Parent extends AnyRoute, Pages extends Record<string, Page>>(parent: Parent, frame: Pages) =>
  Object.fromEntries(
    Object.entries(frame).map(([name, page]): [string, AnyRoute] => [name, pageRoute(parent, name, page)]),
  ) as { [Name in keyof Pages]: ReturnType<typeof pageRoute<Parent, Pages[Name]>> };

const routeTree = root.addChildren({
  ...routesIn(root, pages.bare),
  card: card.addChildren(routesIn(card, pages.card)),
  app: app.addChildren(routesIn(app, pages.app)),
});

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
