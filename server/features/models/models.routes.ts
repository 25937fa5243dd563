import { createHash } from 'node:crypto';
import { modelKeys, operatorServices, services, type Service } from '../../../shared/contracts/services.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import { pack, sendPacked, type Packed } from '../../infra/packed.ts';
import { modelProviders } from '../../providers/models/registry.ts';
import type { Context } from '../../feature.ts';
import {
  changeKeyModel,
  checkModelKey,
  createModelKey,
  listKeyModels,
  listOwnModelKeys,
  listProviders,
  removeModelKey,
  updateModelKey,
} from './model-keys.ts';
import { avatarOf } from './models.ts';
import { addService, changeService, removeService } from './operated.ts';

/** How long a browser shows the picture of a provider before it asks again. */
const freshSeconds = 86_400;

export function modelRoutes(app: Http, context: Context): void {
  for (const { name, picture } of modelProviders) servePicture(app, avatarOf(name), picture);

  const packed = new WeakMap<Service[], Promise<Packed>>();
  handle(app, services.list, async ({ caller, request, reply }) => {
    const list = await context.models.list(caller?.workspace);
    const made = packed.get(list) ?? pack(JSON.stringify(list));
    packed.set(list, made);
    await sendPacked(request, reply, await made);
  });

  handle(app, modelKeys.providers, async () => ({ data: listProviders() }));
  handle(app, modelKeys.list, async ({ caller }) => ({
    data: await listOwnModelKeys(context, caller),
    meta: { nextCursor: null },
  }));
  handle(app, modelKeys.transcribers, async ({ caller }) => ({
    data: await context.models.transcribers(caller.workspace),
  }));
  handle(app, modelKeys.create, async ({ caller, body }) => ({ data: await createModelKey(context, caller, body) }));
  handle(app, modelKeys.update, async ({ caller, params, body }) => ({
    data: await updateModelKey(context, caller, params.uuid, body),
  }));
  handle(app, modelKeys.check, async ({ caller, params }) => ({
    data: await checkModelKey(context, caller, params.uuid),
  }));
  handle(app, modelKeys.models, async ({ caller, params }) => ({
    data: await listKeyModels(context, caller, params.uuid),
    meta: { nextCursor: null },
  }));
  handle(app, modelKeys.changeModel, async ({ caller, params, body }) => ({
    data: await changeKeyModel(context, caller, params, body),
  }));
  handle(app, modelKeys.remove, async ({ caller, params }) => {
    await removeModelKey(context, caller, params.uuid);
    return done;
  });

  handle(app, operatorServices.list, async () => ({
    data: await context.models.operated(),
    meta: { nextCursor: null },
  }));
  handle(app, operatorServices.add, async ({ caller, body }) => ({ data: await addService(context, caller, body) }));
  handle(app, operatorServices.update, async ({ caller, params, body }) => ({
    data: await changeService(context, caller, params.uuid, body),
  }));
  handle(app, operatorServices.remove, async ({ caller, params }) => {
    await removeService(context, caller, params.uuid);
    return done;
  });
}

function servePicture(app: Http, url: string, picture: string): void {
  const etag = `"${createHash('sha256').update(picture).digest('base64url')}"`;
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.header('cache-control', `public, max-age=${freshSeconds}`).header('etag', etag);
      if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
      return reply.type('image/svg+xml').send(picture);
    },
  });
}
