import { Readable } from 'node:stream';
import type { Message } from '../../../shared/contracts/conversations.ts';
import type { Context } from '../../feature.ts';
import { translate } from '../../infra/translate.ts';
import { findBotNames } from '../bots/bots.ts';
import { plainName } from '../files/files.ts';
import { findUser } from '../users/users.ts';
import { listBranch, listMessagesAfter, listSiblings } from './conversations.store.ts';
import type { ThreadTable } from './conversations.tables.ts';
import { closed, contained, plain } from './markdown.ts';
import { botOf, toMessage, toThread } from './messages.ts';
import { mustFindThread, type Owner } from './own-thread.ts';

export interface ThreadFile {
  name: string;
  mime: string;
  content: Readable | string;
}

/** Messages that are in memory at once, with all that was kept of how they came about. */
const batch = 100;

/** A conversation as a file for whoever may read it: the branch that is shown as Markdown, or every branch as JSON. */
export async function exportThread(
  context: Context,
  owner: Owner,
  uuid: string,
  format: 'markdown' | 'json',
): Promise<ThreadFile> {
  const thread = await mustFindThread(context, owner, uuid);
  const name = plainName(thread.title);
  return format === 'json'
    ? {
        name: `${name}.json`,
        mime: 'application/json; charset=utf-8',
        content: Readable.from(toJson(context, owner, thread)),
      }
    : { name: `${name}.md`, mime: 'text/markdown; charset=utf-8', content: await toMarkdown(context, owner, thread) };
}

async function* toJson(context: Context, owner: Owner, thread: ThreadTable): AsyncGenerator<string> {
  const { db } = context;
  const about = {
    ...toThread(thread),
    bot: { uuid: thread.bot, name: await botName(context, thread) },
    head: thread.head,
  };
  yield `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "messages": [`;
  let last: number | undefined;
  for (;;) {
    const rows = await listMessagesAfter(db, thread.uuid, last ?? 0, batch);
    const siblings = await listSiblings(db, thread.uuid, rows);
    for (const row of rows) {
      const message = JSON.stringify(toMessage(row, owner.locale, siblings.get(row.parent)), null, 2);
      yield `${last === undefined ? '' : ','}\n${indented(message, 4)}`;
      last = row.seq;
    }
    if (rows.length < batch) break;
  }
  yield '\n  ]\n}\n';
}

async function toMarkdown(context: Context, owner: Owner, thread: ThreadTable): Promise<string> {
  const { db } = context;
  const { locale } = owner;
  const bot = await botName(context, thread);
  const timeZone = (owner.kind === 'guest' ? undefined : await findUser(db, owner.user))?.timezone ?? 'UTC';
  const clock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const time = (moment: string | number) => plain(clock.format(new Date(moment)));
  const messages: string[] = [];
  for (let head = thread.head; head !== null;) {
    const rows = await listBranch(db, head, batch);
    for (const row of rows) if (row.status !== 'streaming') messages.push(messageOf(toMessage(row, locale)));
    head = rows.length < batch ? null : (rows.at(-1)?.parent ?? null);
  }
  const top = [
    `# ${plain(thread.title)}`,
    [
      `- ${translate(locale, 'conversations-server:export.bot', { name: plain(bot) })}`,
      `- ${translate(locale, 'conversations-server:export.begun', { time: time(thread.created_at) })}`,
      `- ${translate(locale, 'conversations-server:export.exported', { time: time(Date.now()) })}`,
      `- ${translate(locale, 'conversations-server:export.zone', { zone: plain(timeZone) })}`,
    ].join('\n'),
  ];
  return `${[...top, ...messages.toReversed()].join('\n\n')}\n`;

  function messageOf({ role, text, createdAt, files, citations, status, error }: Message): string {
    const who =
      role === 'assistant'
        ? bot
        : role === 'user'
          ? owner.name
          : translate(locale, `conversations-server:export.${role}`);
    const end =
      status === 'interrupted' ? translate(locale, 'conversations-server:export.interrupted') : (error?.message ?? '');
    return [
      `## ${plain(who)} · ${time(createdAt)}`,
      // What people ask is shown as they wrote it; what a bot says is Markdown.
      role === 'user' ? quoted(text.split(lineEnd).map(plain).join('\\\n')) : inPlace(text),
      files.length > 0 &&
        [
          translate(locale, 'conversations-server:export.files'),
          '',
          ...files.map(({ name }) => `- ${plain(name)}`),
        ].join('\n'),
      citations.length > 0 &&
        [
          translate(locale, 'conversations-server:export.sources'),
          '',
          citations
            .map(({ number, document, page, headings, quote }) => {
              const place = page === null ? '' : translate(locale, 'conversations-server:export.page', { page });
              const mark = `${number}. `;
              const source = [document.name, place, headings.join(' › ')].filter(Boolean).map(plain).join(' · ');
              return [mark + source, indented(quoted(contained(quote)), mark.length)].filter(Boolean).join('\n\n');
            })
            .join('\n\n'),
        ].join('\n'),
      end && plain(end),
    ]
      .filter(Boolean)
      .join('\n\n');
  }
}

const lineEnd = /\r\n|\r|\n/;

/** Whatever stands in a quote ends with it: headings, lists, a fence that nobody closed. */
const quoted = (markdown: string) =>
  markdown === ''
    ? ''
    : markdown
        .split(lineEnd)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');

/** As it was written where it surely ends before what follows it; otherwise as a quote. */
const inPlace = (markdown: string) => closed(markdown) ?? quoted(contained(markdown));

const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

const botName = async ({ db }: Context, thread: ThreadTable): Promise<string> =>
  (await findBotNames(db, thread.workspace, [botOf(thread)]))[0]?.name ?? '';
