import { Readable } from 'node:stream';
import { conversations as contract } from '../../../shared/contracts/conversations.ts';
import { sent } from '../../../shared/contracts/sent.ts';
import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import { hourMs, type Feature } from '../../feature.ts';
import type { Channel } from '../../providers/channels/channel.ts';
import { channels } from '../../providers/channels/registry.ts';
import { speakerOf } from '../users/speaker.ts';
import { ask } from './ask.ts';
import { attach } from './attachments.ts';
import { conversationRoutes } from './conversations.routes.ts';
import {
  countAsked,
  deleteThreads,
  deleteThreadsOf,
  dropAnswerLeases,
  endShares,
  hasThreads,
} from './conversations.store.ts';
import { keepAnswers } from './keep.ts';
import { hearNews, threadRequests } from './live.ts';
import { indexMessages } from './message-index.ts';
import { createRuns, type Runs } from './runs.ts';
import {
  emptyThreadTrash,
  eraseThreads,
  exportThreads,
  sweepAttachments,
  sweepHolds,
  sweepThreads,
} from './threads.ts';

declare module '../../feature.ts' {
  interface Services {
    runs: Runs;
    channels: Record<ChannelKind, Channel>;
  }
}

const audit = ['conversation.shared', 'conversation.unshared'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Conversations with bots, and the answers that are being written in them. */
export const conversations: Feature = {
  name: 'conversations',
  tables: ['thread', 'message', 'thread_figures'],
  contracts: [contract, sent],
  routes: conversationRoutes,
  notFound: { chat: 'thread-not-found', message: 'message-not-found' },
  audit,
  requests: threadRequests,
  onNews: hearNews,
  provide: () => ({ runs: createRuns(), channels: { ...channels } }),
  async prepare({ db, engine }) {
    if (engine === 'sqlite') await dropAnswerLeases(db);
  },
  serve: keepAnswers,
  recurring: (context) => [
    { name: 'threads.sweep', everyMs: hourMs, run: async () => void (await sweepThreads(context.db)) },
    { name: 'attachments.sweep', everyMs: hourMs, run: (signal) => sweepAttachments(context, signal) },
    { name: 'messages.index', everyMs: 60_000, run: (signal) => indexMessages(context, undefined, signal) },
    { name: 'credits.sweep', everyMs: hourMs, run: () => sweepHolds(context) },
  ],
  asked: countAsked,
  emptyTrash: emptyThreadTrash,
  holdsBot: ({ db }, bot) => hasThreads(db, bot),
  person: {
    leave: endShares,
    clear: (context, user) => eraseThreads(context, { user }),
    erase: (trx, { user }) => deleteThreadsOf(trx, user),
    export: exportThreads,
  },
  workspace: {
    clear: (context, workspace) => eraseThreads(context, { workspace }),
    erase: async (trx, workspace) => void (await deleteThreads(trx, workspace)),
  },
  async examples(context, caller, { bot = '' }) {
    const question = { bot, text: 'When does it open?' };
    const { thread, message, ended } = await ask(context, speakerOf(caller), question, () => {});
    await ended;
    const part = { filename: 'menu.md', file: Readable.from([Buffer.from('# Menu')]) };
    const file = await attach(context, speakerOf(caller), part);
    return { chat: thread, message, file: file.uuid };
  },
};
