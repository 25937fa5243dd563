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
