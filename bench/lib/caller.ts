import type { BodyIn, ParamsOf, ReplyOf, Route } from '../../shared/route.ts';

/** Calls a server's routes as a program would. Throws with what was answered when it is no success. */
export function caller(url: string) {
  return async <T extends Route>(
    route: T,
    {
      jwt,
      key,
      params = {},
      body,
    }: { jwt?: string; key?: string; params?: Partial<ParamsOf<T>>; body?: BodyIn<T> } = {},
  ): Promise<ReplyOf<T>> => {
    const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
      String(new Map(Object.entries(params)).get(name)),
    );
    const reply = await fetch(`${url}${path}`, {
      method: route.method,
      headers: {
        ...(jwt && { authorization: `Bearer ${jwt}` }),
        ...(key && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status >= 300) throw new Error(`${route.path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  };
}
