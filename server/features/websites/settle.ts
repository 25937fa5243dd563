import type { Context } from '../../feature.ts';
import { translate } from '../../infra/translate.ts';
import type { JobRun } from '../../infra/queue.ts';
import type { Block } from '../../providers/parsers/parser.ts';
import { blockKey } from '../knowledge/block-key.ts';
import { keepFetched, leaveOutOf, readFetched, withdrawFetched } from '../knowledge/fetched.ts';
import { parseFile } from '../knowledge/parse-file.ts';
import { findUser } from '../users/users.ts';
import { sharedBlocks } from './shared-blocks.ts';
import { listReadPages, mustGoOn, updateWebsite, type WebsiteRow } from './websites.store.ts';

/** Pages that are read again for the words of shared blocks. */
const mostRead = 5;

/**
 * When all pages are known: what they share is left out of each, and kept once in a document of its own. False where some are being
 * read: it is to be done again when that is over.
 */
export async function settle(context: Context, site: WebsiteRow, run: JobRun): Promise<boolean> {
  const { db } = context;
  const pages = (await listReadPages(db, site.uuid)).map((page) => ({
    ...page,
    keys: JSON.parse(page.blocks) as string[],
  })); // A border: only this feature writes it.
  const shared = sharedBlocks(pages.filter(({ keys }) => keys.length > 0).map(({ keys }) => keys));
  let isWhole = true;
  for (const { document, keys } of pages) {
    run.signal.throwIfAborted();
    const leaveOut = [...new Set(keys.filter((key) => shared.has(key)))];
    // A page that is nothing else keeps it.
    if (document === null || leaveOut.length === new Set(keys).size) continue;
    if (!(await leaveOutOf(context, run, document, leaveOut))) isWhole = false;
  }
  context.queue.wake();
  if (!isWhole) return false;
  const everywhere = await keepShared(context, site, pages, shared, run);
  const title = pages.find(({ depth }) => depth === 0)?.title ?? pages[0]?.title ?? site.title;
  await run.fenced((trx) => updateWebsite(trx, site.uuid, { shared: JSON.stringify([...shared]), everywhere, title }));
  return true;
}

/** The words of shared blocks, in the order of the page that has the most of them. */
async function keepShared(
  context: Context,
  site: WebsiteRow,
  pages: { document: string | null; keys: string[] }[],
  shared: Set<string>,
  run: JobRun,
): Promise<string | null> {
  const missing = new Set(shared);
  const blocks: Block[] = [];
  const has = ({ keys }: { keys: string[] }) => keys.filter((key) => missing.has(key)).length;
  for (let read = 0; read < mostRead && missing.size > 0; read++) {
    const page = pages.reduce<(typeof pages)[number] | undefined>(
      (best, each) => (has(each) > (best ? has(best) : 0) ? each : best),
      undefined,
    );
    const bytes = page?.document ? await readFetched(context, page.document) : undefined;
    if (!page) break;
    const parsed = bytes
      ? await parseFile({ file: bytes, extension: 'html', turn: { tenant: site.workspace }, signal: run.signal }).catch(
          () => undefined,
        )
      : undefined;
    run.signal.throwIfAborted();
    for (const block of parsed?.document.blocks ?? []) {
      if (missing.delete(blockKey(block.text))) blocks.push(block);
    }
    page.keys = [];
  }
  if (blocks.length === 0) {
    const former = site.everywhere;
    if (former) await run.fenced((trx) => withdrawFetched(trx, former));
    return null;
  }
  const locale = (site.user ? await findUser(context.db, site.user) : undefined)?.locale ?? 'en';
  const name = translate(locale, 'knowledge-server:everywhere', { site: new URL(site.url).hostname });
  const text = blocks.map(({ kind, level = 2, text }) => (kind === 'heading' ? `${'#'.repeat(level)} ${text}` : text));
  let everywhere = site.everywhere;
  await keepFetched(
    context,
    run.fenced,
    { workspace: site.workspace, user: site.user },
    site.knowledge,
    { name, extension: 'md', bytes: Buffer.from(text.join('\n\n')), url: site.url, leaveOut: [] },
    site.everywhere,
    async (trx, { document, is }) => {
      await mustGoOn(trx, site);
      // Another's document with the same words stays another's.
      everywhere = is === 'twin' ? null : document;
      await updateWebsite(trx, site.uuid, { everywhere });
    },
  );
  return everywhere;
}
