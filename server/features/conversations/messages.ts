import type { RichSnapshot } from '../../../shared/line-content.ts';
import type { Attachment, Message, Place, Sticker, Thread } from '../../../shared/contracts/conversations.ts';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { translate } from '../../infra/translate.ts';
import { momentsOf } from '../../infra/moments.ts';
import type { Sender } from '../../providers/channels/channel.ts';

interface NewMessage {
  uuid: string;
  thread: string;
  seq: number;
  role: MessageTable['role'];
  parent: string | null;
  text: string;
  files: Attachment[];
  status: 'done' | 'streaming';
  now: number;
  channel_key?: string | null;
  author?: string | null;
  internal?: 0 | 1;
  happening?: string | null;
  delivery?: MessageTable['delivery'];
  delivery_error?: string | null;
  sticker?: Sticker | undefined;
  location?: Place | undefined;
  sender?: Sender | undefined;
  rich?: RichSnapshot | undefined;
  quotes?: string | undefined;
  heard?: string | undefined;
  indexed?: 0 | null;
}

export function newRow({
  now,
  files,
  sticker,
  location,
  sender,
  rich,
  quotes,
  heard,
  ...message
}: NewMessage): MessageTable {
  return {
    author: null,
    internal: 0,
    happening: null,
    sticker: sticker ? JSON.stringify(sticker) : null,
    location: location ? JSON.stringify(location) : null,
    sender: sender ? JSON.stringify(sender) : null,
    rich: rich ? JSON.stringify(rich) : null,
    quotes: quotes ?? null,
    heard: heard ?? null,
    delivery: null,
    delivery_error: null,
    sending: null,
    link: null,
    channel_key: null,
    indexed: null,
    ...message,
    reasoning: '',
    tools: '[]',
    files: JSON.stringify(files),
    feedback: null,
    finish: null,
    citations: '[]',
    error: null,
    service: null,
    service_name: null,
    tokens_in: 0,
    tokens_out: 0,
    tokens_cached: 0,
    cost: 0,
    own_key: 0,
    latency_ms: null,
    first_token_ms: null,
    suggestions: null,
    trace: null,
    lease_owner: null,
    lease_until: null,
    stop_requested: 0,
    created_at: now,
    updated_at: now,
  };
}

const segmenter = new Intl.Segmenter();

export function titleOf(question: string): string {
  const line = question.split('\n')[0]?.trim() || question.trim();
  if (line.length <= 60) return line;
  const graphemes = [...segmenter.segment(line.slice(0, 2000))];
  return graphemes.length > 60
    ? `${graphemes
        .slice(0, 59)
        .map(({ segment }) => segment)
        .join('')}…`
    : line;
}

/** Of a message, what lists show. */
export const previewOf = (text: string, files: { name: string }[] = []) =>
  (text || (files[0]?.name ?? '')).slice(0, 200).toWellFormed();

/** The bot of a thread. Throws `bot-not-found` where only people answer. */
export function botOf({ bot }: Pick<ThreadTable, 'bot'>): string {
  if (bot === null) throw new AppError('bot-not-found');
  return bot;
}

/** As its owner on our pages gets it. */
export function toThread(thread: ThreadTable): Thread {
  return {
    uuid: thread.uuid,
    bot: botOf(thread),
    title: thread.title,
    status: thread.status,
    running: thread.running,
    pinned: thread.pinned_at !== null,
    temporary: thread.temporary === 1,
    shared: thread.share_hash !== null,
    createdAt: new Date(thread.created_at).toISOString(),
    updatedAt: new Date(thread.updated_at).toISOString(),
  };
}

export function toMessage(message: MessageTable, locale: 'en' | 'ja', siblings: string[] = [message.uuid]): Message {
  const error: { code: ErrorCode; details: Record<string, unknown> } | null = message.error
    ? JSON.parse(message.error)
    : null;
  return {
    uuid: message.uuid,
    seq: message.seq,
    role: message.role,
    parent: message.parent,
    siblings,
    text: message.text,
    reasoning: message.reasoning,
    tools: JSON.parse(message.tools),
    files: JSON.parse(message.files),
    citations: JSON.parse(message.citations),
    suggestions: message.suggestions === null ? [] : JSON.parse(message.suggestions),
    status: message.status,
    finish: message.finish,
    error: error && {
      code: error.code,
      message: translate(locale, `errors:${error.code}`, { ...error.details, requestId: message.uuid }),
    },
    feedback: message.feedback === null ? null : JSON.parse(message.feedback),
    usage:
      message.service && message.latency_ms !== null
        ? {
            service: message.service,
            serviceName: message.service_name ?? '',
            tokensIn: message.tokens_in,
            tokensOut: message.tokens_out,
            tokensCached: message.tokens_cached,
            cost: message.cost,
            ownKey: message.own_key === 1,
            latencyMs: message.latency_ms,
            firstTokenMs: message.first_token_ms,
          }
        : null,
    ...momentsOf(message),
  };
}
