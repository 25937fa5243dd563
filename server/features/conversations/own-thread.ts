import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Speaker } from '../users/speaker.ts';
import { findThread } from './conversations.store.ts';
import type { ThreadTable } from './conversations.tables.ts';

/** Whose conversations they are: a person's on our pages, each key's apart from those, or a visitor's with one channel. */
export type Owner = Speaker;

export async function mustFindThread({ db }: Context, owner: Owner, uuid: string): Promise<ThreadTable> {
  const thread = await findThread(db, owner, uuid);
  if (!thread) throw new AppError('thread-not-found');
  return thread;
}
