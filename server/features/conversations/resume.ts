import type { Thread } from '../../../shared/contracts/conversations.ts';
import type { Context } from '../../feature.ts';
import { findMessage, listSiblings, updateMessage } from './conversations.store.ts';
import type { ThreadTable } from './conversations.tables.ts';
import { toMessage, toThread } from './messages.ts';
import { follow, type Following, type Listen } from './runs.ts';
import { mustFindThread, type Owner } from './own-thread.ts';

const followMs = 300;

/** Follows the answer that a thread is writing, from what it has so far; ends at once when none is. */
export async function resume(context: Context, owner: Owner, uuid: string, listen: Listen): Promise<Following> {
  const thread = await mustFindThread(context, owner, uuid);
  const run = thread.running ? context.runs.active.get(thread.running) : undefined;
  listen({ type: 'thread', thread: toThread(thread) });
  if (!run) return followElsewhere(context, owner, thread, listen);
  listen({ type: 'message', message: { ...run.message } });
  return follow(run, listen);
}

/** The answer is another node's: its text comes from the database as it grows. */
function followElsewhere({ db }: Context, owner: Owner, thread: ThreadTable, listen: Listen): Following {
  const leaving = new AbortController();
  const watch = async (): Promise<undefined> => {
    let shown = 0;
    for (let first = true; thread.running && !leaving.signal.aborted; first = false) {
      const found = await findMessage(db, thread.running);
      if (!found) return undefined;
      const siblings = await listSiblings(db, thread.uuid, [found]);
      const message = toMessage(found, owner.locale, siblings.get(found.parent));
      if (first) listen({ type: 'message', message });
      else if (message.text.length > shown) listen({ type: 'delta', text: message.text.slice(shown) });
      shown = message.text.length;
      if (message.status !== 'streaming') {
        listen(message.error ? { type: 'error', error: message.error, message } : { type: 'done', message });
        return undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, followMs));
    }
    return undefined;
  };
  return { thread: thread.uuid, message: thread.running ?? '', ended: watch(), leave: () => leaving.abort() };
}

/** Ends the answer that a thread is writing; one on another node ends with its next round. */
export async function stop(context: Context, owner: Owner, uuid: string): Promise<Thread> {
  const thread = await mustFindThread(context, owner, uuid);
  const run = thread.running ? context.runs.active.get(thread.running) : undefined;
  if (run) {
    run.abort.abort();
    await run.ended;
  } else if (thread.running) await updateMessage(context.db, thread.running, { stop_requested: 1 });
  return toThread(await mustFindThread(context, owner, uuid));
}
