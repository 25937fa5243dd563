import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Line } from '../../providers/channels/line/api.ts';
import type { LineContent } from '../../providers/channels/line/events.ts';
import { attach, maxAttachmentBytes, unknownMime } from '../conversations/attachments.ts';
import type { Guest } from '../users/speaker.ts';

type Media = Extract<LineContent, { type: 'image' | 'video' | 'audio' | 'file' }>;

/** What keeps a file from being kept, and its message from nothing. */
const lost: string[] = [
  'file-too-large',
  'file-empty',
  'body-too-large',
  'workspace-full',
  'image-invalid',
  'image-too-large',
];

/** How long another server may take for all of a file, however slowly it sends it. */
const outsideMs = 15_000;
/** How long a video may take until LINE has prepared it. */
const prepareMs = 60_000;

/** What somebody sent, as a file of theirs; nothing where it is no longer there, is larger than what is kept, or is not what it says. */
export async function keepMedia(
  context: Context,
  guest: Guest,
  line: Line,
  { messageId, media, signal }: { messageId: string; media: Media; signal: AbortSignal },
): Promise<Attachment | undefined> {
  if ((media.fileSize ?? 0) > maxAttachmentBytes) return undefined;
  const file =
    media.content.provider === 'line'
      ? await fromLine(line, messageId, signal)
      : await fromOutside(context, media, signal);
  if (!file) return undefined;
  try {
    const filename = media.fileName ?? `${media.type}.${extensionOf(file.mime) ?? usualExtensions[media.type]}`;
    return await attach(
      context,
      guest,
      { filename, file: file.body },
      {
        // What it says it is, is only shown where it is that.
        unreadAs: /^(?:audio|video)\//.test(file.mime) ? file.mime : unknownMime,
      },
    );
  } catch (error) {
    file.body.destroy();
    // What cannot be kept is told as such; the message stands without it.
    if (error instanceof AppError && lost.includes(error.code)) return undefined;
    if (!signal.aborted && isTimeout(error)) return undefined;
    throw error;
  }
}

interface Fetched {
  body: Readable;
  mime: string;
}

async function fromLine(line: Line, messageId: string, signal: AbortSignal): Promise<Fetched | undefined> {
  for (const until = Date.now() + prepareMs; ;) {
    const content = await line.content(messageId, maxAttachmentBytes);
    if (content.state === 'ready') return content;
    if (content.state === 'gone' || Date.now() > until) return undefined;
    if ((await line.transcoding(messageId)) === 'failed') return undefined;
    await sleep(1_000, undefined, { signal });
  }
}

/** Anybody may have put it there, so it is fetched as every address that others name. */
async function fromOutside(
  { outbound }: Context,
  { content }: Media,
  signal: AbortSignal,
): Promise<Fetched | undefined> {
  if (content.provider !== 'external') return undefined;
  try {
    const answer = await outbound.request(content.url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(outsideMs)]),
      timeoutMs: 10_000,
    });
    if (answer.status === 200) return { body: answer.body, mime: answer.type };
    answer.body.destroy();
    return undefined;
  } catch (error) {
    if (error instanceof AppError || (!signal.aborted && isTimeout(error))) return undefined;
    throw error;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || (error.cause !== undefined && isTimeout(error.cause)));

const usualExtensions = { image: 'jpg', video: 'mp4', audio: 'm4a', file: 'bin' };
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'audio/x-m4a': 'm4a',
  'audio/m4a': 'm4a',
  'audio/mpeg': 'mp3',
};
const extensionOf = (mime: string): string | undefined => extensions[mime];
