import { z } from 'zod';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import { limit } from '../../infra/limits.ts';
import type { ModelTool } from '../../providers/models/model.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { addFile, isFull, keepOrRemove, mustHaveRoom, storageKey } from '../files/files.ts';
import { roomFor, toPicture } from '../files/pictures.ts';
import type { ModelTarget } from '../models/models.ts';
import type { Asker } from '../usage/caps.ts';
import { costOfPicture, reserve, settle, toUse, type CappedChannel } from '../usage/ledger.ts';
import type { Speaker } from '../users/speaker.ts';

export const drawTool: ModelTool = {
  name: 'draw_picture',
  description:
    'Draws one picture and shows it to the person, below your answer. Use it only when they ask for a picture. Never give a link to it.',
  parameters: {
    type: 'object',
    properties: {
      prompt: { type: 'string', description: 'What the picture shows, in one to five sentences.' },
      shape: { type: 'string', enum: ['square', 'landscape', 'portrait'] },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
};

const Input = z.object({
  prompt: z.string().trim().min(1).max(4000),
  shape: z.enum(['square', 'landscape', 'portrait']).default('square').catch('square'),
});
const sizes = { square: [1024, 1024], landscape: [1536, 1024], portrait: [1024, 1536] } as const;

/** A tool of the same name is the bot's own. */
export const mayDraw = ({ config }: Pick<SpeakingBot, 'config'>): boolean =>
  config.drawing !== null && !config.tools.some(({ name }) => name === drawTool.name);

/** What somebody stops is not charged, though its provider may bill it: so neither a person nor a channel can do that without end. */
export const drawLimits = {
  visitor: limit('visitor-drawings', 10, 86_400, 'pictures that a bot draws for one visitor in a day'),
  channel: limit('channel-drawings', 200, 86_400, 'pictures that bots draw on one channel in a day'),
  member: limit('member-drawings', 60, 3600, 'pictures that bots draw for one member in an hour'),
};

/** Pictures of one answer. */
export const maxDrawn = 2;

/** For whom a picture is drawn, and who pays. */
export interface Drawer {
  service: string;
  speaker: Speaker;
  asker: Asker;
  channel: CappedChannel | undefined;
  /** What the answer is for, in the token history. */
  place: string;
  thread: string | undefined;
  bot: { uuid: string; name: string };
}

/**
 * Draws a picture and keeps it as a file of whoever is answered. Credits are set aside before its provider is asked, and charged in the
 * transaction in which the file is there. Throws as `Drawing.draw`, and `service-not-ready`,
 * `balance-empty`, `cap-reached`, `channel-spent`, `image-invalid`, and `ZodError` where `given` is no order for a picture.
 */
export async function drawPicture(
  context: Context,
  { service, speaker, asker, channel, place, thread, bot }: Drawer,
  given: unknown,
  signal: AbortSignal,
): Promise<Attachment> {
  const { workspace } = speaker;
  const { prompt, shape } = Input.parse(given);
  const [target] = (await context.models.reach(workspace, service)).filter(draws);
  const drawing = target?.connection.drawing;
  if (!target || !drawing) throw new AppError('service-not-ready');
  if (speaker.kind === 'guest') {
    await context.limits.take(drawLimits.visitor, speaker.guest);
    await context.limits.take(drawLimits.channel, speaker.channelId);
  } else await context.limits.take(drawLimits.member, speaker.user);
  const [width, height] = sizes[shape];
  await mustHaveRoom(context, { workspace, bytes: roomFor({ width, height }) });
  const cost = target.ownKey ? 0 : costOfPicture(target.service.imagePrice ?? 0, context.config.CREDIT_MARGIN);
  const uuid = newId();
  await context.write((trx) => reserve(context, trx, { workspace, message: uuid, amount: cost, channel, asker }), {
    mixes: false,
  });
  const begun = Date.now();
  let isDrawn = false;
  // What is drawn here costs nobody anything, and is no entry.
  const pay = (trx: Trx) =>
    settle(
      context,
      trx,
      uuid,
      target.service.provider === 'built-in'
        ? undefined
        : {
            kind: 'image',
            ...toUse({
              speaker,
              message: uuid,
              thread,
              bot,
              channel: place,
              target,
              tokens: { tokensIn: 0, tokensOut: 0, tokensCached: 0 },
              cost,
              latencyMs: Date.now() - begun,
              firstTokenMs: null,
            }),
          },
    );
  try {
    const bytes = await pictureOf(
      drawing.draw({ model: target.model, prompt, width, height, seed: begun % 2 ** 31 }, signal),
    );
    await context.models.judge(target, undefined);
    const picture = await toPicture(bytes);
    if (!picture) throw new AppError('image-invalid');
    isDrawn = true;
    const key = storageKey('attachment', uuid);
    const file = { uuid, name: 'picture.webp', mime: picture.mime, bytes: picture.bytes.length };
    await keepOrRemove(context, [key], async () => {
      await context.storage.put(key, picture.bytes);
      await context.db.transaction().execute(async (trx) => {
        await addFile(context, trx, {
          ...file,
          workspace,
          user: speaker.kind === 'guest' ? null : speaker.user,
          guest: speaker.kind === 'guest' ? speaker.guest : null,
          kind: 'attachment',
          sha256: '',
          storage_key: key,
        });
        await pay(trx);
      });
    });
    return file;
  } catch (error) {
    // Where there is no room for it any more, it was drawn and billed all the same.
    await context.write((trx) => (isDrawn && isFull(error) ? pay(trx) : settle(context, trx, uuid, undefined)));
    if (error instanceof AppError) await context.models.judge(target, error);
    throw error;
  }
}

const draws = ({ service, connection }: ModelTarget) =>
  service.group === 'image-model' && connection.drawing !== undefined;

async function pictureOf(events: AsyncIterable<{ type: 'partial' | 'picture'; bytes: Uint8Array }>): Promise<Buffer> {
  for await (const { type, bytes } of events) if (type === 'picture') return Buffer.from(bytes);
  throw new AppError('provider-answer-unreadable');
}
