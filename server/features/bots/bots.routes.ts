import { bots } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import {
  createBot,
  duplicateBot,
  getBot,
  getShownBot,
  getVersion,
  listBotNames,
  listOwnBots,
  listOwnVersions,
  listTemplates,
  mustFindBot,
  placeOfBot,
  publishBot,
  removeBot,
  removeSecret,
  restoreBot,
  restoreVersion,
  setSecret,
  updateOwnBot,
} from './bots.ts';
import { mustBeCallable } from './config.ts';
import { readOpenApi } from './openapi.ts';
import { callTool } from './tools.ts';
import { maxArchiveMb } from '../knowledge/base-transfer.ts';
import { exportBot, importBot } from './transfer.ts';

export function botRoutes(app: Http, context: Context): void {
  handle(app, bots.list, ({ caller, query }) => listOwnBots(context, caller, query));
  handle(app, bots.dropdown, async ({ caller }) => ({ data: await listBotNames(context, caller) }));
  handle(app, bots.templates, async ({ locale }) => ({ data: listTemplates(locale) }));
  handle(app, bots.create, async ({ caller, body }) => ({ data: await createBot(context, caller, body) }));
  handle(app, bots.get, async ({ caller, params }) => ({ data: await getBot(context, caller, params.uuid) }));
  handle(app, bots.update, async ({ caller, params, body }) => ({
    data: await updateOwnBot(context, caller, params.uuid, body),
  }));
  handle(app, bots.remove, async ({ caller, params }) => {
    await removeBot(context, caller, params.uuid);
    return done;
  });
  handle(app, bots.restore, async ({ caller, params }) => ({ data: await restoreBot(context, caller, params.uuid) }));
  handle(app, bots.duplicate, async ({ caller, params }) => ({
    data: await duplicateBot(context, caller, params.uuid),
  }));
  handle(app, bots.publish, async ({ caller, params, body }) => ({
    data: await publishBot(context, caller, params.uuid, body?.note ?? ''),
  }));
  handle(app, bots.versions, ({ caller, params, query }) => listOwnVersions(context, caller, params.uuid, query));
  handle(app, bots.version, async ({ caller, params }) => ({
    data: await getVersion(context, caller, params.uuid, params.version),
  }));
  handle(app, bots.restoreVersion, async ({ caller, params }) => ({
    data: await restoreVersion(context, caller, params.uuid, params.version),
  }));
  handle(app, bots.setSecret, async ({ caller, params, body }) => ({
    data: await setSecret(context, caller, params.uuid, body),
  }));
  handle(app, bots.removeSecret, async ({ caller, params }) => ({
    data: await removeSecret(context, caller, params.uuid, params.name),
  }));
  handle(
    app,
    bots.readOpenApi,
    async ({ caller, params, body, locale }) => {
      await mustFindBot(context, caller, params.uuid);
      return { data: readOpenApi(body.document, locale) };
    },
    // Room for a million Japanese characters as JSON within JSON.
    { bodyLimit: 4 * 1024 * 1024 },
  );
  handle(app, bots.tryTool, async ({ caller, params, body }) => {
    await mustFindBot(context, caller, params.uuid);
    mustBeCallable(body.tool);
    return { data: await callTool(context, params.uuid, body.tool, body.input, new AbortController().signal) };
  });
  handle(app, bots.export, async ({ caller, params, reply }) => {
    const { name, zip } = await exportBot(context, caller, params.uuid);
    await reply
      .header('content-type', 'application/zip')
      .header(
        'content-disposition',
        `attachment; filename="bot.kotae-bot.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      .header('cache-control', 'no-store')
      .send(zip);
  });
  handle(
    app,
    bots.import,
    async ({ caller, files }) => {
      const part = (await files({ fileSize: maxArchiveMb * megabyte, files: 1 }).next()).value;
      if (part?.fieldname !== 'file') throw new AppError('malformed-form');
      return { data: await importBot(context, caller, part.file) };
    },
    { formLimit: (maxArchiveMb + 1) * megabyte },
  );
  handle(app, bots.place, async ({ caller, params }) => ({ data: await placeOfBot(context, caller, params.uuid) }));
  handle(app, bots.show, async ({ caller, params }) => {
    const { workspace, config, ...shown } = await getShownBot(context, caller, params.uuid);
    const service = await context.models.find(workspace, config.service);
    return { data: { ...shown, takesImages: service?.capabilities.includes('vision') ?? false } };
  });
}
