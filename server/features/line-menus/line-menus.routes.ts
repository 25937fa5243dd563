import { lineMenus } from '../../../shared/contracts/line-menus.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Http } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import {
  changeImage,
  changeMenu,
  copyMenu,
  createMenu,
  createTabs,
  exportMenu,
  getMenu,
  importMenu,
  listMenus,
  maxUploadMb,
  mustFindMenu,
  readDesign,
  readImage,
  removeMenu,
} from './line-menus.ts';
import {
  getStatistics,
  importFromLine,
  listOnLine,
  publishMenus,
  restoreMenus,
  setDefault,
  takeOffMenus,
} from './on-line.ts';

/** LINE answers sixty questions for figures in an hour, and each of ours is one of either kind. */
export const menusAsked = limit('menus-asked', 60, 60, 'questions to LINE about rich menus, by address');

export function lineMenuRoutes(app: Http, context: Context): void {
  handle(app, lineMenus.list, ({ caller, query }) => listMenus(context, caller, query));
  handle(app, lineMenus.create, async ({ caller, body }) => ({ data: await createMenu(context, caller, body) }));
  handle(app, lineMenus.createTabs, async ({ caller, body }) => ({ data: await createTabs(context, caller, body) }));
  handle(app, lineMenus.importJson, async ({ caller, body }) => ({ data: await importMenu(context, caller, body) }));
  handle(app, lineMenus.get, async ({ caller, params }) => ({ data: await getMenu(context, caller, params.uuid) }));
  handle(app, lineMenus.update, async ({ caller, params, body }) => ({
    data: await changeMenu(context, caller, params.uuid, body),
  }));
  handle(app, lineMenus.copy, async ({ caller, params, body }) => ({
    data: await copyMenu(context, caller, params.uuid, body.name),
  }));
  handle(app, lineMenus.remove, async ({ caller, params }) => {
    await removeMenu(context, caller, params.uuid);
    return done;
  });
  handle(
    app,
    lineMenus.uploadImage,
    async ({ caller, params, files }) => {
      await mustFindMenu(context.db, caller, params.uuid);
      const part = (await files({ fileSize: maxUploadMb * megabyte, files: 1 }).next()).value;
      if (!part) throw new AppError('malformed-form');
      const bytes = Buffer.concat(await part.file.toArray());
      if (part.file.truncated) throw new AppError('file-too-large', { limitMb: maxUploadMb });
      return { data: await changeImage(context, caller, params.uuid, bytes) };
    },
    { formLimit: (maxUploadMb + 1) * megabyte, formMemory: maxUploadMb * megabyte },
  );
  handle(app, lineMenus.design, async ({ caller, params }) => ({
    data: { design: await readDesign(context, caller, params.uuid) },
  }));
  handle(app, lineMenus.image, async ({ caller, params, reply }) => {
    const { mime, body } = await readImage(context, caller, params.uuid);
    reply.headers({
      'content-type': mime,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
    await reply.serializer(String).send(body);
  });
  handle(app, lineMenus.exportJson, async ({ caller, params }) => ({
    data: await exportMenu(context, caller, params.uuid),
  }));
  handle(app, lineMenus.onLine, ({ caller, query }) => listOnLine(context, caller, query), {
    limit: menusAsked,
  });
  handle(app, lineMenus.publish, async ({ caller, body }) => ({
    data: await publishMenus(context, caller, body.menus),
  }));
  handle(app, lineMenus.takeOff, async ({ caller, body }) => ({
    data: await takeOffMenus(context, caller, body.menus),
  }));
  handle(
    app,
    lineMenus.restore,
    async ({ caller, body }) => ({ data: await restoreMenus(context, caller, body.channel) }),
    { limit: menusAsked },
  );
  handle(app, lineMenus.fromLine, async ({ caller, body }) => ({ data: await importFromLine(context, caller, body) }), {
    limit: menusAsked,
  });
  handle(app, lineMenus.setDefault, async ({ caller, params, body }) => ({
    data: await setDefault(context, caller, params.uuid, body.default),
  }));
  handle(
    app,
    lineMenus.statistics,
    async ({ caller, params, query }) => ({ data: await getStatistics(context, caller, params.uuid, query) }),
    { limit: menusAsked },
  );
}
