import { z } from 'zod';
import { scopeFor, type Access, type Scope } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Shape = z.ZodRawShape;
type Empty = Record<never, never>;

export interface Route<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
> {
  method: Method;
  path: string;
  summary: string;
  access: A;
  /** The scope an API key needs for it; null keeps keys out. */
  scope: Scope | null;
  params: z.ZodObject<P>;
  query: z.ZodObject<Q>;
  body: B;
  reply: R;
  status: number;
  /** Another status that comes with the same schema. */
  otherStatus: number | undefined;
  /** `json` (default); `multipart`: also takes files; `stream`: may answer as server-sent events; `file`: answers bytes. */
  kind: 'json' | 'multipart' | 'stream' | 'file';
}

interface Options<P extends Shape, Q extends Shape, B extends z.ZodType, R extends z.ZodType, A extends Access> {
  summary: string;
  access: A;
  /** Which API keys may; null for none. Unless told, those with the scope of the access's name. */
  scope?: Scope | null;
  params?: P;
  query?: Q;
  body?: B;
  reply?: R;
  status?: number;
  otherStatus?: number;
  kind?: Route['kind'];
  /** Query parameters that are not declared are let through, for answers of other people's servers. */
  openQuery?: true;
}

/** Declares an endpoint. Unknown fields in params, query and body are refused. */
export function route<
  P extends Shape = Empty,
  Q extends Shape = Empty,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
  const A extends Access = Access,
>(method: Method, path: string, options: Options<P, Q, B, R, A>): Route<P, Q, B, R, A> {
  return {
    method,
    path,
    summary: options.summary,
    access: options.access,
    scope: options.scope === undefined ? scopeFor(options.access) : options.scope,
    status: options.status ?? 200,
    otherStatus: options.otherStatus,
    kind: options.kind ?? 'json',
    // A schema that was not given is an empty one; TypeScript cannot see that the defaults of P, Q, B and R say the same.
    params: z.strictObject(options.params ?? {}) as unknown as z.ZodObject<P>,
    query: (options.openQuery
      ? z.looseObject(options.query ?? {})
      : z.strictObject(options.query ?? {})) as unknown as z.ZodObject<Q>,
    body: (options.body ?? z.undefined()) as B,
    reply: (options.reply ?? z.undefined()) as R,
  };
}

export type ParamsOf<T> = T extends Route<infer P, Shape, z.ZodType, z.ZodType> ? z.output<z.ZodObject<P>> : never;
export type QueryIn<T> = T extends Route<Shape, infer Q, z.ZodType, z.ZodType> ? z.input<z.ZodObject<Q>> : never;
export type BodyIn<T> = T extends Route<Shape, Shape, infer B, z.ZodType> ? z.input<B> : never;
export type ReplyOf<T> = T extends Route<Shape, Shape, z.ZodType, infer R> ? z.output<R> : never;
