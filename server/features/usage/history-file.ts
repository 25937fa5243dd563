import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import type { Position } from '../../infra/page.ts';
import { toFilter, type Wanted } from './usage.ts';
import { listEntries, type EntryFilter } from './usage.store.ts';

const columns = [
  'time',
  'kind',
  'credits',
  'balance',
  'model',
  'provider',
  'own_key',
  'bot',
  'channel',
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'reason',
];

/** The history as CSV, read a page at a time as fast as it is taken. A name that a spreadsheet would calculate is made harmless. */
export async function exportHistory(context: Context, caller: Caller, wanted: Wanted): Promise<Readable> {
  const filter = await toFilter(context.db, caller, wanted);
  // Without a byte order mark Excel does not read the file as UTF-8.
  const csv = stringify({
    header: true,
    columns,
    bom: true,
    escape_formulas: true,
    quoted_string: true,
    cast: { number: String },
  });
  return pipeline(Readable.from(rowsOf(context, caller.workspace, filter)), csv, (err) => {
    if (err && err.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      context.log.error({ err }, 'the token history could not be exported');
  });
}

const pageRows = 500;

async function* rowsOf({ db }: Context, workspace: string, filter: EntryFilter): AsyncGenerator<unknown[]> {
  let after: Position | undefined;
  for (;;) {
    const rows = await listEntries(db, { workspace, filter, limit: pageRows, after });
    for (const row of rows.slice(0, pageRows))
      yield [
        new Date(row.created_at).toISOString(),
        row.kind,
        row.amount / microPerCredit,
        row.balance / microPerCredit,
        row.service_name,
        row.provider,
        row.own_key,
        row.bot_name,
        row.channel,
        row.tokens_in,
        row.tokens_out,
        row.tokens_cached,
        row.note,
      ];
    const last = rows[pageRows - 1];
    if (!last || rows.length <= pageRows) return;
    after = { at: last.created_at, uuid: last.uuid };
  }
}
