import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Where a secret may be sent. Those that are there may go where the approved tools of the bot, as it is saved or published, send them. */
export const secretOrigins: Migration = {
  name: '0011-secret-origins',
  async up(trx) {
    await sql`alter table bot_secret add column origins text not null default '[]'`.execute(trx);
    const { rows } = await sql<{ bot: string; name: string; draft: string; published: string | null }>`
      select bot_secret.bot, bot_secret.name, bot.draft, bot_version.config as published
      from bot_secret join bot on bot.uuid = bot_secret.bot left join bot_version on bot_version.uuid = bot.published_version`.execute(
      trx,
    );
    for (const { bot, name, draft, published } of rows) {
      const origins = [draft, published].flatMap((config) => (config === null ? [] : originsOf(config, name)));
      await sql`update bot_secret set origins = ${JSON.stringify([...new Set(origins)])} where bot = ${bot} and name = ${name}`.execute(
        trx,
      );
    }
  },
};

interface StoredTool {
  url: string;
  approved: boolean;
  headers: { value: string }[];
}

function originsOf(config: string, name: string): string[] {
  const { tools = [] }: { tools?: StoredTool[] } = JSON.parse(config);
  const mark = new RegExp(`\\{\\{\\s*secret\\.${name}\\s*\\}\\}`);
  return tools
    .filter(({ approved, headers }) => approved && headers.some(({ value }) => mark.test(value)))
    .map(({ url }) => url.replace(/\{[^{}]*\}/g, 'x'))
    .flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
}
