import { z } from 'zod';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import { scopes } from '../roles.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

export const ApiKey = z.object({
  uuid,
  name: z.string(),
  /** How the key begins, to tell one from another. */
  prefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The bots it may use; null for all of the workspace. */
  bots: z.array(z.object({ uuid, name: z.string() })).nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
  createdBy: z.string(),
  expiresAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type ApiKey = z.output<typeof ApiKey>;

const fields = {
  name: text(60),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  /** A key for some bots only can have the scope `chat` alone: everything else is of the whole workspace. */
  bots: z.array(uuid).min(1).max(100).nullable(),
  expiresAt: moment.nullable(),
};

export const keys = {
  list: route('GET', '/api/user/api-keys', {
    summary: 'The API keys of the workspace',
    access: 'manage',
    query: listQuery,
    reply: many(ApiKey),
  }),
  create: route('POST', '/api/user/api-key', {
    summary: 'Create an API key; it is shown this once',
    access: 'manage',
    status: 201,
    body: z.strictObject(fields).partial({ bots: true, expiresAt: true }),
    reply: one(ApiKey.extend({ key: z.string() })),
  }),
  update: route('PUT', '/api/user/api-key/:uuid', {
    summary: 'Change what an API key may do',
    access: 'manage',
    params: byUuid,
    body: z.strictObject(fields).partial(),
    reply: one(ApiKey),
  }),
  remove: route('DELETE', '/api/user/api-key/:uuid', {
    summary: 'Revoke an API key',
    access: 'manage',
    params: byUuid,
    reply: ok,
  }),
};
