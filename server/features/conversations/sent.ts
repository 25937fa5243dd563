import { timingSafeEqual } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Attachment, Citation } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { findFile } from '../files/files.ts';
import { isPlayable } from '../../../shared/recordings.ts';
import { drawPoster, toJpeg } from '../files/pictures.ts';
import { readRecording } from '../files/recordings.ts';
import { openPdf } from '../knowledge/documents.ts';
import { findMessage, findThreadById } from './conversations.store.ts';

/* What goes out with a message has addresses that its channel's servers, and whoever it was sent to, may open: its key is in them. */

interface Sent {
  message: string;
  key: string;
}

async function mustFindSent({ db }: Context, { message: uuid, key }: Sent) {
  const message = await findMessage(db, uuid);
  const [own, given] = [Buffer.from(message?.link ?? ''), Buffer.from(key)];
  if (!message || own.length === 0 || own.length !== given.length || !timingSafeEqual(own, given))
    throw new AppError('message-not-found');
  return message;
}

async function mustFindSource(context: Context, sent: Sent & { number: number }) {
  const message = await mustFindSent(context, sent);
  const citations: Citation[] = JSON.parse(message.citations);
  const citation = citations.find(({ number }) => number === sent.number);
  const thread = await findThreadById(context.db, message.thread);
  if (!citation || !thread) throw new AppError('document-not-found');
  let isShown = false;
  if (citation.page !== null && citation.document.mime === 'application/pdf')
    for (const { showsPages } of context.features) isShown ||= (await showsPages?.(context, thread)) ?? false;
  return { citation, isShown, workspace: thread.workspace };
}

export async function getSentSource(context: Context, sent: Sent & { number: number }) {
  const { citation, isShown } = await mustFindSource(context, sent);
  const { number, document, page, headings, quote } = citation;
  return { number, title: document.name, page, headings, quote, pdf: isShown };
}

/** Throws `document-not-found` where the channel shows no pages, or the document is no longer there. */
export async function openSentDocument(context: Context, sent: Sent & { number: number }) {
  const { citation, isShown, workspace } = await mustFindSource(context, sent);
  if (!isShown) throw new AppError('document-not-found');
  return openPdf(context, workspace, citation.document.uuid);
}

const usualFilm = { width: 16, height: 9 };
const sides = { full: 2000, preview: 700 };

/** For so long a file can be loaded by its address. Pictures and recordings belong to their message: apps load them whenever that is looked at. */
const loadableMs = 30 * 24 * 60 * 60_000;

/** A picture as JPEG, which every app shows, and so what stands for a film; anything else as it is. */
export async function openSentFile(context: Context, sent: Sent & { file: string; size: 'full' | 'preview' }) {
  const message = await mustFindSent(context, sent);
  const files: Attachment[] = JSON.parse(message.files);
  const known = files.find(({ uuid }) => uuid === sent.file);
  const stored = known && (await findFile(context.db, known.uuid));
  const isPicture = known?.mime.startsWith('image/');
  const isShown = isPicture || (known && isPlayable(known.mime));
  const isOver = !isShown && message.created_at < Date.now() - loadableMs;
  if (!known || !stored || isOver) throw new AppError('file-not-found');
  const content = await context.storage.get(stored.storage_key);
  const side = sides[sent.size];
  if (known.mime === 'video/mp4' && sent.size === 'preview') {
    const film = readRecording(await buffer(content))?.shown ?? usualFilm;
    return { ...known, mime: 'image/jpeg', content: await drawPoster(film, side) };
  }
  if (!isPicture) return { ...known, content };
  const shape = { maxPixels: 40_000_000, width: side, height: side, fit: 'inside' as const, quality: 82 };
  return { ...known, mime: 'image/jpeg', content: await toJpeg(await buffer(content), shape) };
}
