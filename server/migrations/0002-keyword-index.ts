import type { Migration } from '../infra/migrate.ts';

export const keywordIndex: Migration = {
  name: '0002-keyword-index',
  async up() {},
};
