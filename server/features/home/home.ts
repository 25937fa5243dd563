import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { may } from '../../../shared/roles.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import type { Home } from '../../../shared/contracts/home.ts';
import { dayNamer, quarterMs } from '../../infra/days.ts';
import type { Caller } from '../../infra/http.ts';
import { translate } from '../../infra/translate.ts';
import { countBots, createBot, listOwnBots } from '../bots/bots.ts';
import type { Context } from '../../feature.ts';
import { addDocument, listDocumentsOf } from '../knowledge/documents.ts';
import { countThings, createKnowledge } from '../knowledge/knowledge.ts';
import { findMine } from '../inbox/inbox.ts';
import { hasTopUpStopped } from '../payments/top-up.ts';
import { countOpen, listUnanswered } from '../unanswered/unanswered.ts';
import { sumUp } from '../usage/usage.ts';
import { countByQuarter, countQuestions } from '../conversations/threads.ts';
import { findUser } from '../users/users.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const unansweredShown = 5;
const daysShown = 14;
const daysOfBots = 7;

export async function getHome(context: Context, caller: Caller, locale: Locale): Promise<Home> {
  const { db, models } = context;
  const { workspace } = caller;
  // A key may do what its scope says, and for this one it need only read.
  const isPerson = caller.key === null;
  const mayEdit = isPerson && may(caller.role, 'edit');
  const [ownBots, things, questions, timezone, failed, recent, services, inbox, open, latest, credits, topUpStopped] =
    await Promise.all([
      countBots(db, workspace),
      countThings(db, workspace),
      countQuestions(db, workspace, caller.user),
      findUser(db, caller.user).then((user) => user?.timezone ?? 'UTC'),
      listDocumentsOf(context, caller, { status: 'failed' }, { limit: 5 }, locale),
      listOwnBots(context, caller, { sort: 'updated', limit: 4 }),
      models.list(workspace),
      isPerson && may(caller.role, 'converse') ? findMine(context, caller) : null,
      mayEdit ? countOpen(context, workspace) : null,
      mayEdit ? listUnanswered(context, caller, { status: 'open', limit: unansweredShown }) : null,
      sumUp(context, workspace, Date.now() - weekMs),
      isPerson && may(caller.role, 'manage') && hasTopUpStopped(context, workspace),
    ]);
  const counts = { bots: ownBots.bots, knowledges: things.knowledges, documents: things.documents, questions };
  const asked = await countPerDay(context, caller, timezone);
  return {
    steps: {
      bot: counts.bots > 0,
      knowledge: counts.knowledges > 0,
      document: counts.documents > 0,
      question: counts.questions > 0,
      published: ownBots.published > 0,
      model: services.some(
        ({ provider, group, availability }) => provider !== 'built-in' && group === 'model' && availability === 'ready',
      ),
    },
    counts,
    questionsPerDay: asked.map(({ day, count, cited }) => ({ day, count, cited: Math.min(cited, count) })),
    failedDocuments: failed.data.map(({ uuid, name, knowledge, knowledgeName, error }) => ({
      uuid,
      name,
      knowledge,
      knowledgeName,
      message: error?.message ?? '',
    })),
    inbox,
    unanswered: open && latest && { ...open, latest: latest.data },
    credits: { balance: credits.balance, usedInWeek: credits.used },
    topUpStopped,
    busyDocuments: things.busy,
    recentBots: recent.data.map(({ uuid, name, avatar, mark, published, changed }) => ({
      uuid,
      name,
      avatar,
      mark,
      published: published !== null,
      changed,
      questionsPerDay: asked.slice(-daysOfBots).map(({ bots }) => bots.get(uuid) ?? 0),
    })),
  };
}

/** Days are the reader's own: a question just before midnight in Tokyo belongs to that day. */
async function countPerDay({ db }: Context, caller: Caller, timezone: string) {
  const now = Date.now();
  const dayOf = dayNamer(timezone);
  const days = new Map(
    Array.from({ length: daysShown }, (_, at) => [
      dayOf(now - (daysShown - 1 - at) * dayMs),
      { count: 0, cited: 0, bots: new Map<string, number>() },
    ]),
  );
  for (const { bot, quarter, questions, cited } of await countByQuarter(
    db,
    caller.workspace,
    now - daysShown * dayMs,
  )) {
    const day = days.get(dayOf(Number(quarter) * quarterMs));
    if (!day) continue;
    day.count += Number(questions);
    day.cited += Number(cited);
    day.bots.set(bot, (day.bots.get(bot) ?? 0) + Number(questions));
  }
  return [...days].map(([day, counted]) => ({ day, ...counted }));
}

/** A bot that answers for a small shop, with the shop's FAQ as its knowledge. */
export async function createSample(
  context: Context,
  caller: Caller,
  locale: Locale,
): Promise<{ bot: string; knowledge: string }> {
  const say = (key: KeyIn<'home-server'>) => translate(locale, `home-server:${key}`);
  const knowledge = await createKnowledge(context, caller, {
    name: say('knowledge.name'),
    description: say('knowledge.description'),
  });
  const text = await readFile(new URL(`./samples/shop-faq.${locale}.md`, import.meta.url));
  await addDocument(
    context,
    caller,
    knowledge.uuid,
    { name: `${say('document.name')}.md`, bytes: Readable.from([text]), source: 'text' },
    locale,
  );
  const bot = await createBot(context, caller, {
    name: say('bot.name'),
    description: say('bot.description'),
    greeting: say('bot.greeting'),
    starters: [say('bot.starter1'), say('bot.starter2'), say('bot.starter3')],
    knowledges: [knowledge.uuid],
  });
  return { bot: bot.uuid, knowledge: knowledge.uuid };
}
