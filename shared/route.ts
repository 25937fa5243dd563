import { z } from 'zod';

/** What a caller must be or may do. Roles get their permissions from the policy table of the server. */
export type Permission = 'read' | 'converse' | 'edit' | 'manage' | 'own';

/**
 * `anyone`: no identity needed (one that is sent is still read); `user`: any signed-in person;
 * a permission: a member of the workspace in `X-Workspace` who has it.
 */
export type Access = 'anyone' | 'user' | Permission;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Shape = z.ZodRawShape;
type Empty = Record<never, never>;

export interface Route<P extends Shape = Shape, Q extends Shape = Shape, B extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType, A extends Access = Access> {
  method: Method;
  path: string;
  summary: string;
  access: A;
  params: z.ZodObject<P>;
  query: z.ZodObject<Q>;
  body: B;
  reply: R;
  status: number;
  /** `json` (default); `multipart`: also takes files; `stream`: may answer as server-sent events; `file`: answers bytes. */
  kind: 'json' | 'multipart' | 'stream' | 'file';
}

interface Options<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType, A extends Access> {
  summary: string;
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  reply?: R;
  status?: number;
  kind?: Route['kind'];
}

/** Declares an endpoint. Unknown fields in params, query and body are refused. */
export function route<P extends Shape = Empty, Q extends Shape = Empty, B extends z.ZodType = z.ZodUndefined, R extends z.ZodType = z.ZodUndefined, const A extends Access = Access>(
  method: Method,
  path: string,
  options: Options<P, Q, B, R, A>,
): Route<P, Q, B, R, A> {
  return {
    method,
    path,
    summary: options.summary,
    access: options.access,
    status: options.status ?? 200,
    kind: options.kind ?? 'json',
    // A schema that was not given is an empty one; TypeScript cannot see that the defaults of P, Q, B and R say the same.
    params: z.strictObject(options.params ?? {}) as unknown as z.ZodObject<P>,
    query: z.strictObject(options.query ?? {}) as unknown as z.ZodObject<Q>,
    body: (options.body ?? z.undefined()) as B,
    reply: (options.reply ?? z.undefined()) as R,
  };
}

export type ParamsOf<T> = T extends Route<infer P, Shape, z.ZodType, z.ZodType> ? z.output<z.ZodObject<P>> : never;
export type QueryIn<T> = T extends Route<Shape, infer Q, z.ZodType, z.ZodType> ? z.input<z.ZodObject<Q>> : never;
export type BodyIn<T> = T extends Route<Shape, Shape, infer B, z.ZodType> ? z.input<B> : never;
export type ReplyOf<T> = T extends Route<Shape, Shape, z.ZodType, infer R> ? z.output<R> : never;
