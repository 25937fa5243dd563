import type { BodyIn, ParamsOf, ReplyOf, Route } from '../shared/route.ts';
import { expect } from './server.ts';

type AnyRoute = Route<NonNullable<unknown>, NonNullable<unknown>>;

/** Calls a route as a program would, to set a scene that is not what a journey is about. */
export async function callApi<T extends AnyRoute>(
  url: string,
  route: T,
  { params, body, jwt }: { params?: ParamsOf<T>; body?: BodyIn<T>; jwt?: string | undefined } = {},
): Promise<ReplyOf<T>> {
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) =>
    String(new Map(Object.entries(params ?? {})).get(key)),
  );
  const response = await fetch(`${url}${path}`, {
    method: route.method,
    headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${route.method} ${path}: ${response.status}`).toBe(true);
  return JSON.parse(await response.text());
}
