import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { AuditEntry } from '../../../shared/contracts/operator.ts';
import { page, readCursor, type Position } from '../../infra/page.ts';
import type { Context } from '../../feature.ts';
import { listAudit, type AuditEntryRow, type AuditFilter } from '../audit/audit.ts';

export async function listAuditEntries(
  { db }: Context,
  query: AuditFilter & { limit: number; cursor?: string | undefined },
) {
  const rows = await listAudit(db, query, { limit: query.limit, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: shown.rows.map(toEntry), meta: { nextCursor: shown.nextCursor } };
}

const columns = ['time', 'action', 'actor', 'workspace', 'subject', 'details', 'address'];

/** The log as CSV, read a page at a time as fast as it is taken. Names are people's own: a cell that a spreadsheet would calculate is made harmless. */
export function exportAudit(context: Context, filter: AuditFilter): Readable {
  // Without a byte order mark Excel does not read the file as UTF-8.
  const csv = stringify({ header: true, columns, bom: true, escape_formulas: true, quoted_string: true });
  return pipeline(Readable.from(auditRows(context, filter)), csv, (err) => {
    if (err && err.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      context.log.error({ err }, 'the audit log could not be exported');
  });
}

const pageRows = 500;

async function* auditRows({ db }: Context, filter: AuditFilter): AsyncGenerator<string[]> {
  let after: Position | undefined;
  for (;;) {
    const rows = await listAudit(db, filter, { limit: pageRows, after });
    for (const row of rows)
      yield [
        new Date(row.created_at).toISOString(),
        row.action,
        row.actor,
        row.workspace_name,
        row.subject,
        row.details,
        row.address,
      ];
    const last = rows.at(-1);
    if (!last || rows.length <= pageRows) return;
    after = { at: last.created_at, uuid: last.uuid };
  }
}

function toEntry(row: AuditEntryRow): AuditEntry {
  return {
    uuid: row.uuid,
    action: row.action,
    actor: row.user ? { uuid: row.user, name: row.actor } : null,
    workspace: row.workspace ? { uuid: row.workspace, name: row.workspace_name } : null,
    subject: row.subject,
    details: JSON.parse(row.details),
    address: row.address,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.created_at).toISOString(),
  };
}
