import { Readable } from 'node:stream';
import type { RichMessage, RichUse } from '../../../shared/contracts/rich-messages.ts';
import { AppError } from '../../../shared/errors.ts';
import { withName } from '../../../shared/addressed.ts';
import { maxSaid, type LineBubble, type RichSnapshot } from '../../../shared/line-content.ts';
import { imagemapWidth, picturesOf, toImageMessage, toLineMessage, type RichKind } from '../../../shared/rich-line.ts';
import type { RichDraft } from '../../../shared/rich-message.ts';
import { toJson, type Context, type ExportedFile } from '../../feature.ts';
import { lockName, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { translate } from '../../infra/translate.ts';
import { record } from '../audit/audit.ts';
import { plainName } from '../files/files.ts';
import { keepPictures, readImage } from './images.ts';
import {
  countRich,
  deleteRich,
  findRichRow,
  insertRich,
  listImages,
  listKinds,
  listKnownRich,
  listNamedRich,
  listRichOf,
  listRichRows,
  updateRich,
} from './rich-messages.store.ts';
import type { RichMessageTable } from './rich-messages.tables.ts';

type Whose = Pick<Caller, 'workspace'>;

/** A team that makes this many has lost sight of them. */
const maxRich = 500;

export async function listRich(
  context: Context,
  { workspace }: Whose,
  query: { q?: string | undefined; kind?: RichKind | undefined; limit: number; cursor?: string | undefined },
) {
  const { q, kind, limit, cursor } = query;
  const { db } = context;
  const rows = await listRichRows(db, { workspace, q, kind, limit, after: readCursor(cursor) });
  const shown = page(rows, limit, (row) => row.updated_at);
  const users = await mapUsers(context, workspace);
  return {
    data: shown.rows.map((row) => ({ ...toRich(row), uses: users.get(row.uuid)?.size ?? 0 })),
    meta: { nextCursor: shown.nextCursor, kinds: await listKinds(db, workspace) },
  };
}

export const getRich = async ({ db }: Context, caller: Whose, uuid: string): Promise<RichMessage> =>
  toRich(await mustFindRich(db, caller, uuid));

/** What rich messages are called, and what is seen of them first, by their ids. */
export async function listCovers({ db }: Context, workspace: string, uuids: string[]) {
  const rows = await listNamedRich(db, workspace, uuids);
  return new Map(
    rows.map(({ uuid, name, draft: stored }) => {
      const draft: RichDraft = JSON.parse(stored);
      const [picture] = picturesOf(draft);
      return [uuid, { name, image: picture?.uuid ?? null, color: 'color' in draft ? draft.color : null }];
    }),
  );
}

export async function mustFindRich(db: Db | Trx, { workspace }: Whose, uuid: string): Promise<RichMessageTable> {
  const row = await findRichRow(db, workspace, uuid);
  if (!row) throw new AppError('rich-not-found');
  return row;
}

export async function createRich(
  context: Context,
  caller: Caller,
  { name, draft }: { name: string; draft: RichDraft },
): Promise<RichMessage> {
  const uuid = newId();
  const now = Date.now();
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, `rich messages of ${caller.workspace}`);
    if ((await countRich(trx, caller.workspace)) >= maxRich) throw new AppError('too-many', { limit: maxRich });
    await keepShown(trx, caller, draft);
    await insertRich(trx, {
      uuid,
      workspace: caller.workspace,
      name,
      kind: draft.kind,
      draft: JSON.stringify(draft),
      created_at: now,
      updated_at: now,
    });
  });
  return getRich(context, caller, uuid);
}

export async function copyRich(context: Context, caller: Caller, uuid: string, name: string): Promise<RichMessage> {
  const { draft } = await getRich(context, caller, uuid);
  return createRich(context, caller, { name, draft });
}

export async function changeRich(
  context: Context,
  caller: Caller,
  uuid: string,
  { name, draft, seen }: { name?: string | undefined; draft?: RichDraft | undefined; seen?: string | undefined },
): Promise<RichMessage> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'rich_message', uuid);
    const row = await mustFindRich(trx, caller, uuid);
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    if (draft) await keepShown(trx, caller, draft);
    await updateRich(trx, uuid, {
      ...(name !== undefined && { name }),
      ...(draft && { kind: draft.kind, draft: JSON.stringify(draft) }),
      // Two changes of one moment are two.
      updated_at: Math.max(Date.now(), row.updated_at + 1),
    });
  });
  return getRich(context, caller, uuid);
}

const keepShown = (trx: Trx, { workspace }: Whose, draft: RichDraft) =>
  keepPictures(
    trx,
    workspace,
    draft.kind === 'cards'
      ? draft.cards.flatMap(({ picture }, at) => (picture ? [{ path: `draft.cards.${at}.picture`, ...picture }] : []))
      : picturesOf(draft).map((picture) => ({ path: 'draft.picture', ...picture })),
  );

/** So many are told one by one. */
const mostTold = 20;

/** What sends it: some of them, and how many there are; and in how many broadcasts it was sent. */
export async function listUses(
  context: Context,
  caller: Whose,
  uuid: string,
): Promise<{ users: RichUse[]; count: number; sent: number }> {
  await mustFindRich(context.db, caller, uuid);
  const users = await listUsers(context, caller, uuid);
  let sent = 0;
  for (const feature of context.features)
    sent += (await feature.sent?.['rich-message']?.(context, caller.workspace, uuid)) ?? 0;
  return { users: users.slice(0, mostTold), count: users.length, sent };
}

const listUsers = async (context: Context, { workspace }: Whose, uuid: string): Promise<RichUse[]> => [
  ...((await mapUsers(context, workspace)).get(uuid)?.values() ?? []),
];

/** What sends each, by ids: what sends it twice is one. */
async function mapUsers(context: Context, workspace: string): Promise<Map<string, Map<string, RichUse>>> {
  const users = new Map<string, Map<string, RichUse>>();
  for (const { richUses } of context.features)
    for (const [message, things] of (await richUses?.(context, workspace)) ?? []) {
      const known = users.get(message) ?? new Map<string, RichUse>();
      for (const use of things) if (!known.has(use.uuid)) known.set(use.uuid, use);
      users.set(message, known);
    }
  return users;
}

/** Throws `rich-needed` where something sends it, with the name of that. */
export async function removeRich(context: Context, caller: Caller, uuid: string): Promise<void> {
  await mustFindRich(context.db, caller, uuid);
  const [user] = await listUsers(context, caller, uuid);
  if (user !== undefined) throw new AppError('rich-needed', { name: user.name });
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'rich_message', uuid);
    const { name } = await mustFindRich(trx, caller, uuid);
    await deleteRich(trx, uuid);
    await record(trx, caller, 'rich-message.deleted', name);
  });
}

export const exportRich = async (context: Context, caller: Whose, uuid: string): Promise<RichSnapshot['line']> =>
  (await snapshotRich(context, caller.workspace, uuid)).line;

/** Every message as it was drawn, and each picture that they show once, in full width. */
export async function* exportAllRich(context: Context, workspace: string): AsyncGenerator<ExportedFile> {
  const shown = new Set<string>();
  for (const { uuid, name, draft: stored } of await listRichOf(context.db, workspace)) {
    const draft: RichDraft = JSON.parse(stored);
    for (const picture of picturesOf(draft)) shown.add(picture.uuid);
    yield { name: `rich-messages/${plainName(name)}-${uuid.slice(-6)}.json`, content: toJson({ name, draft }) };
  }
  for (const { uuid, mime } of await listImages(context.db, workspace, [...shown])) {
    const missing = (err: unknown) => {
      context.log.warn({ err, image: uuid }, 'a file is missing from an export');
      return { body: Readable.from([Buffer.from('This file is missing from the storage.')]) };
    };
    yield {
      name: `rich-messages/pictures/${uuid}.${mime === 'image/png' ? 'png' : 'jpg'}`,
      content: async () => (await readImage(context, uuid, String(imagemapWidth)).catch(missing)).body,
    };
  }
}

const imageUrl =
  ({ links }: Context) =>
  (image: string) =>
    links.to(`/line/image/${image}`);

/** What a message keeps of a rich message: later changes do not change what was sent. Throws `rich-not-found`. */
export async function snapshotRich(context: Context, workspace: string, uuid: string): Promise<RichSnapshot> {
  const row = await mustFindRich(context.db, { workspace }, uuid);
  const draft: RichDraft = JSON.parse(row.draft);
  const line = toLineMessage(draft, imageUrl(context));
  return { uuid, name: row.name, kind: draft.kind, alt: draft.alt, line };
}

/** What is written in a conversation for bubbles of LINE. One that is no longer there is left out, so that the others arrive. */
export async function writtenOf(
  context: Context,
  workspace: string,
  bubbles: LineBubble[],
  to: { name: string; locale: 'en' | 'ja' },
): Promise<{ text: string; rich?: RichSnapshot }[]> {
  const written: { text: string; rich?: RichSnapshot }[] = [];
  for (const bubble of bubbles) {
    if (bubble.type === 'text') {
      const text = withName(bubble.text, to.name).slice(0, maxSaid);
      if (text !== '') written.push({ text });
      continue;
    }
    const rich = await (
      bubble.type === 'rich'
        ? snapshotRich(context, workspace, bubble.message)
        : snapshotImage(context, workspace, bubble.file, to.locale)
    ).catch((error: unknown) => {
      if (error instanceof AppError && (error.code === 'rich-not-found' || error.code === 'file-not-found'))
        return undefined;
      throw error;
    });
    if (rich) written.push({ text: rich.alt, rich });
  }
  return written;
}

async function snapshotImage(
  context: Context,
  workspace: string,
  uuid: string,
  locale: 'en' | 'ja',
): Promise<RichSnapshot> {
  const [row] = await listImages(context.db, workspace, [uuid]);
  if (!row) throw new AppError('file-not-found');
  const alt = translate(locale, 'rich-messages-server:picture');
  return { uuid, name: alt, kind: 'image', alt, line: toImageMessage(row, imageUrl(context)) };
}

/** Throws where one of them names what is not of the workspace; pictures stay from now on. `path` is where they stand in a call. */
export async function mustKnowBubbles(trx: Trx, workspace: string, bubbles: LineBubble[], path: string): Promise<void> {
  await mustKnowRich(
    trx,
    workspace,
    bubbles.flatMap((bubble, at) =>
      bubble.type === 'rich' ? [{ path: `${path}.${at}.message`, uuid: bubble.message }] : [],
    ),
  );
  await keepPictures(
    trx,
    workspace,
    bubbles.flatMap((bubble, at) =>
      bubble.type === 'image' ? [{ path: `${path}.${at}.file`, uuid: bubble.file }] : [],
    ),
  );
}

export async function mustKnowRich(
  db: Db | Trx,
  workspace: string,
  named: { path: string; uuid: string }[],
): Promise<void> {
  const known = new Set(await listKnownRich(db, workspace, [...new Set(named.map(({ uuid }) => uuid))]));
  const fields = named.flatMap(({ path, uuid }) => (known.has(uuid) ? [] : [{ path, code: 'invalid' }]));
  if (fields.length > 0) throw new AppError('validation-failed', { fields });
}

const toRich = ({ uuid, name, kind, draft, created_at, updated_at }: RichMessageTable): RichMessage => ({
  uuid,
  name,
  kind,
  draft: JSON.parse(draft),
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
});
