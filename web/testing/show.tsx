import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { z } from 'zod';
import type { ReplyOf, Route } from '../../shared/route.ts';
import { themeWith } from '../ui/theme.ts';

// Nothing has a size here, and what is opened hides when what it belongs to cannot be seen.
const theme = mergeThemeOverrides(themeWith('Close'), {
  components: { Popover: { defaultProps: { hideDetached: false } } },
});

/** Draws it as the app does, for somebody who asked for less motion; gives back the person who uses it. */
export function show(children: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const within = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <MantineProvider theme={theme}>{children}</MantineProvider>
    </QueryClientProvider>
  );
  return { ...render(children, { wrapper: within }), user: userEvent.setup() };
}

/** A server that knows one route more, and what each call of it said. */
export function serve<T extends Route<z.ZodRawShape, z.ZodRawShape>>(
  route: T,
  answer: (call: { url: URL; body: unknown }) => ReplyOf<T> | Response | Promise<ReplyOf<T>>,
) {
  const path = new RegExp(`^${route.path.replace(/:[a-z]+/gi, '[^/]+')}$`);
  const calls: { url: URL; body: unknown }[] = [];
  const others = globalThis.fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { method, body } = init;
    const url = new URL(address, 'http://kotae.test');
    if (method !== route.method || !path.test(url.pathname)) return others(address, init);
    const call = { url, body: typeof body === 'string' ? JSON.parse(body) : body };
    calls.push(call);
    const reply = await answer(call);
    return reply instanceof Response ? reply : Response.json(reply);
  });
  return calls;
}

/** The server's way to say no. */
export const refusal = (
  status: number,
  { code, message, fields = [] }: { code: string; message: string; fields?: { path: string; message: string }[] },
): Response =>
  Response.json({ data: null, error: { status, name: 'Error', code, message, details: { fields } } }, { status });
