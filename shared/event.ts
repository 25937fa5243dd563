import type { z } from 'zod';

export interface SocketEvent<T extends z.ZodType = z.ZodType> {
  name: string;
  data: T;
}

/** Declares an event that the server sends over the socket. */
export function event<T extends z.ZodType>(name: string, data: T): SocketEvent<T> {
  return { name, data };
}

export type EventData<E> = E extends SocketEvent<infer T> ? z.output<T> : never;

export interface SocketRequest<
  D extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends SocketEvent<D> {
  reply: R;
}

/** Declares an event that a page sends over the socket, and what it gets for an answer: that, or `{error}` as a call has it. */
export function request<D extends z.ZodType, R extends z.ZodType>(
  name: string,
  data: D,
  reply: R,
): SocketRequest<D, R> {
  return { name, data, reply };
}
