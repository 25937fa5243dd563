import type { Migration } from '../infra/migrate.ts';

/** Warnings were the numbers of pages without text. */
export const documentWarnings: Migration = {
  name: '0101-document-warnings',
  async up(trx) {
    const rows = await trx.selectFrom('document').select(['uuid', 'warnings']).where('warnings', '!=', '[]').execute();
    for (const { uuid, warnings } of rows) {
      const pages: number[] = JSON.parse(warnings);
      const told = [{ kind: 'page-without-text', count: pages.length, places: pages.slice(0, 100).map(String) }];
      await trx
        .updateTable('document')
        .set({ warnings: JSON.stringify(told) })
        .where('uuid', '=', uuid)
        .execute();
    }
  },
};
