import type { Page } from '@playwright/test';
import { accounts, type Locale } from '../shared/contracts/accounts.ts';
import { services } from '../shared/contracts/services.ts';
import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../shared/route.ts';
import { expect } from './server.ts';

type AnyRoute = Route<NonNullable<unknown>, NonNullable<unknown>>;

/** Calls a route as a program would, to set a scene that is not what a journey is about. */
export async function callApi<T extends AnyRoute>(
  url: string,
  route: T,
  {
    params,
    query,
    body,
    jwt,
    workspace,
  }: {
    params?: ParamsOf<T>;
    query?: QueryIn<T>;
    body?: BodyIn<T>;
    jwt?: string | undefined;
    workspace?: string | undefined;
  } = {},
): Promise<ReplyOf<T>> {
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) =>
    String(new Map(Object.entries(params ?? {})).get(key)),
  );
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(`${url}${path}?${search}`, {
    method: route.method,
    headers: {
      'content-type': 'application/json',
      ...(jwt && { authorization: `Bearer ${jwt}` }),
      ...(workspace && { 'x-workspace': workspace }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${route.method} ${path}: ${response.status}`).toBe(true);
  return JSON.parse(await response.text());
}

/** A model of a server of models, which may not have said yet what it has. */
export async function findService(url: string, model: string): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      found = (await callApi(url, services.list)).find(({ modelId }) => modelId === model)?.uuid ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}

/** A new person who is signed in on the page, past the forms; what they call with. The forms have journeys of their own. */
export async function arrive(page: Page, url: string, locale: Locale = 'en'): Promise<string> {
  const reply = await page.request.post(`${url}${accounts.register.path}`, {
    data: { username: 'hanako', email: 'hanako@example.com', password: 'correct horse battery', locale },
  });
  expect(reply.ok(), await reply.text()).toBe(true);
  // As the forms do on a device where nobody has chosen a language.
  await page.context().addCookies([{ name: 'user-locale', value: locale, url }]);
  return (await reply.json()).jwt;
}
