import type { EmbedSetting } from '../../../shared/contracts/visitors.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { getSpeakingBot } from '../bots/bots.ts';
import { settingsOf as connectionSettings } from '../connections/connections.ts';
import { isOpen } from '../connections/hours.ts';
import { avatarUrl } from '../files/files.ts';
import { anyGuest } from '../users/speaker.ts';
import { isAllowed, mustFindChannel } from './web-channels.ts';
import { updateChannelRow } from './web-channels.store.ts';

const seenMs = 60_000;

/** What a launcher shows. The script that paints it brings only the first along. */
const icons = {
  bubble: 'm4 20 1-5a8 8 0 1 1 4 4z',
  lines: 'M4 5h16v12h-8l-5 4v-4H4zM8 9h8M8 13h5',
  question: 'M8 8q0-3 4-3t4 3-2 4-2 4m0 4v0',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 0 0-8 0M5 21a7 7 0 0 1 14 0',
};

/** What a widget may know of its channel; for a page of another origin only where its domain is listed. */
export async function readSetting(
  context: Context,
  uuid: string,
  {
    origin,
    own,
    preview,
  }: { origin: string | undefined; own: string; /** The workspace of whoever tries it. */ preview: string | undefined },
): Promise<EmbedSetting> {
  const isPreview = preview !== undefined;
  const { row, connection, settings } = await mustFindChannel(context, {
    channelId: uuid,
    isPreview,
    ...(preview && { workspace: preview }),
  });
  const isForeign = origin !== undefined && origin !== own;
  if (isForeign && !isAllowed(settings.domains, origin)) throw new AppError('site-not-listed', { origin });
  if (isForeign && row && (row.seen_at ?? 0) < Date.now() - seenMs)
    await updateChannelRow(context.db, uuid, { seen_at: Date.now(), seen_on: new URL(origin).host });
  const { hours, handoff } = connectionSettings(connection);
  const { avatar, ...look } = settings.look;
  const guest = anyGuest({ channelId: uuid, workspace: connection.workspace, isPreview });
  const bot =
    connection.bot === null
      ? null
      : await getSpeakingBot(context, guest, connection.bot).catch((error: unknown) => {
          // It was never published, or is gone.
          if (error instanceof AppError) return null;
          throw error;
        });
  const service = bot === null ? undefined : await context.models.find(connection.workspace, bot.config.service);
  return {
    channel: row ? uuid : null,
    look,
    texts: settings.texts,
    shown: settings.shown,
    autoOpenSeconds: settings.autoOpenSeconds,
    form: settings.form,
    bot: bot && {
      uuid: bot.uuid,
      name: bot.name,
      mark: bot.mark,
      greeting: bot.greeting,
      starters: bot.starters,
      followUps: bot.followUps,
      takesImages: service?.capabilities.includes('vision') ?? false,
    },
    avatar: avatar ? { url: avatarUrl(avatar) } : (bot?.avatar ?? null),
    icon: icons[look.launcher],
    person: { offered: handoff.offered, open: isOpen(hours) },
  };
}
