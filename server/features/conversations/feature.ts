import { conversations as contract } from '../../../shared/contracts/conversations.ts';
import type { Feature } from '../../feature.ts';
import { conversationRoutes } from './conversations.routes.ts';
import { deleteThreads, deleteThreadsOf, dropAnswerLeases } from './conversations.store.ts';
import { createAnswers, type Answers } from './runs.ts';
import { exportThreads, sweepHolds, sweepThreads } from './threads.ts';

declare module '../../feature.ts' {
  interface Services {
    answers: Answers;
  }
}

/** Conversations with bots, and the answers that are being written in them. */
export const conversations: Feature = {
  name: 'conversations',
  tables: ['thread', 'message'],
  contracts: [contract],
  routes: conversationRoutes,
  notFound: { chat: 'thread-not-found', message: 'message-not-found' },
  provide: (context) => ({ answers: createAnswers(context) }),
  async prepare({ db, engine }) {
    if (engine === 'sqlite') await dropAnswerLeases(db);
  },
  serve({ answers }) {
    answers.start();
    return (drainMs) => answers.drain(drainMs);
  },
  async sweep({ db }) {
    await sweepThreads(db);
    await sweepHolds(db);
  },
  person: { erase: (trx, { user }) => deleteThreadsOf(trx, user), export: exportThreads },
  workspace: { erase: async (trx, workspace) => void (await deleteThreads(trx, workspace)) },
  async examples({ answers }, caller, { bot = '' }) {
    const { thread, message, ended } = await answers.ask(caller, { bot, text: 'When does it open?' }, () => {});
    await ended;
    return { chat: thread, message };
  },
};
