/** What a new feature begins with: a named thing of a workspace that is listed, made and removed. */
export interface Names {
  /** `price-list`: files, paths, the error and the texts. */
  name: string;
  /** `price-lists`: paths of what is many, and the page. */
  many: string;
  /** `priceLists`: the contract and the feature, since a thing may be called as a word of the language is. */
  plural: string;
  /** `PriceList`: the type, and what functions do something with. */
  Type: string;
  /** `price_list` */
  table: string;
  /** `Price lists` */
  label: string;
  /** `/Price-Lists` */
  page: string;
  /** `0007` */
  step: string;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export function namesOf(name: string, step: number): Names {
  const words = name.split('-');
  const Type = words.map(capital).join('');
  const many = `${name}s`;
  return {
    name,
    many,
    plural: `${Type.charAt(0).toLowerCase()}${Type.slice(1)}s`,
    Type,
    table: words.join('_'),
    label: `${capital(words.join(' '))}s`,
    page: `/${many.split('-').map(capital).join('-')}`,
    step: String(step).padStart(4, '0'),
  };
}

/** Every new file, by its path. */
export const skeletonOf = (names: Names): Record<string, string> => ({
  ...shared(names),
  ...server(names),
  ...web(names),
});

const shared = ({ name, many, plural, Type }: Names): Record<string, string> => ({
  [`shared/contracts/${name}.ts`]: `
import { z } from 'zod';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import type texts from '../locales/en/${name}.json';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

declare module '../texts.ts' {
  interface Texts {
    '${name}': typeof texts;
  }
}

const ${Type} = z.object({ uuid, name: z.string(), createdAt: moment, updatedAt: moment });
export type ${Type} = z.output<typeof ${Type}>;

const { limit, cursor } = listQuery;

export const ${plural} = {
  list: route('GET', '/api/user/${many}', {
    summary: 'What is listed here of the workspace, newest first',
    access: 'read',
    query: { limit, cursor },
    reply: many(${Type}),
  }),
  create: route('POST', '/api/user/${name}', {
    summary: 'Add one',
    access: 'edit',
    status: 201,
    body: z.strictObject({ name: text(60) }),
    reply: one(${Type}),
  }),
  remove: route('DELETE', '/api/user/${name}/:uuid', {
    summary: 'Remove one for good',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
};
`,
  [`shared/locales/en/${name}.json`]: JSON.stringify({
    description: 'What the members of this workspace share here.',
    empty: 'Nothing here yet',
    emptyText: 'What is added is shown here.',
    add: 'Add',
    added: 'Added',
    remove: { title: 'Remove “{{name}}”?', text: 'This cannot be undone.' },
  }),
  [`shared/locales/ja/${name}.json`]: JSON.stringify({
    description: 'このワークスペースのメンバーで共有する項目です。',
    empty: 'まだ何もありません',
    emptyText: '追加した項目がここに表示されます。',
    add: '追加',
    added: '追加日時',
    remove: { title: '「{{name}}」を削除しますか？', text: 'この操作は元に戻せません。' },
  }),
});

const server = ({ name, plural, Type, table, step }: Names): Record<string, string> => ({
  [`server/migrations/${step}-${name}.ts`]: `
import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

export const ${plural}: Migration = {
  name: '${step}-${name}',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql\`create table "${table}" (uuid \${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace \${id} not null references workspace (uuid) on delete cascade, name text not null)\`,
      sql\`create index ${table}_workspace on "${table}" (workspace, created_at, uuid)\`,
    ])
      await statement.execute(trx);
  },
};
`,
  [`server/features/${name}/feature.ts`]: `
import { ${plural} as contract } from '../../../shared/contracts/${name}.ts';
import { toJson, type Feature } from '../../feature.ts';
import { create${Type} } from './${name}.ts';
import { ${plural}Routes } from './${name}.routes.ts';
import { listEvery${Type} } from './${name}.store.ts';

export const ${plural}: Feature = {
  name: '${name}',
  tables: ['${table}'],
  contracts: [contract],
  routes: ${plural}Routes,
  notFound: { '${name}': '${name}-not-found' },
  workspace: {
    async *export({ db }, workspace) {
      yield { name: '${name}s.json', content: toJson(await listEvery${Type}(db, workspace)) };
    },
  },
  examples: async (context, caller) => ({
    '${name}': (await create${Type}(context, caller, { name: 'Example' })).uuid,
  }),
};
`,
  [`server/features/${name}/${name}.ts`]: `
import type { ${Type} } from '../../../shared/contracts/${name}.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { delete${Type}, insert${Type}, list${Type}s } from './${name}.store.ts';
import type { ${Type}Table } from './${name}.tables.ts';

export async function listOwn${Type}s(
  { db }: Context,
  { workspace }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const found = await list${Type}s(db, { workspace, limit, after: readCursor(cursor) });
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  return { data: rows.map(to${Type}), meta: { nextCursor } };
}

export async function create${Type}({ db }: Context, { workspace }: Caller, { name }: { name: string }): Promise<${Type}> {
  const now = Date.now();
  const row: ${Type}Table = { uuid: newId(now), workspace, name, created_at: now, updated_at: now };
  await insert${Type}(db, row);
  return to${Type}(row);
}

export async function remove${Type}({ db }: Context, { workspace }: Caller, uuid: string): Promise<void> {
  const { numDeletedRows } = await delete${Type}(db, workspace, uuid);
  if (numDeletedRows === 0n) throw new AppError('${name}-not-found');
}

const to${Type} = ({ uuid, name, created_at, updated_at }: ${Type}Table): ${Type} => ({
  uuid,
  name,
  createdAt: new Date(created_at).toISOString(),
  updatedAt: new Date(updated_at).toISOString(),
});
`,
  [`server/features/${name}/${name}.routes.ts`]: `
import { ${plural} } from '../../../shared/contracts/${name}.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { create${Type}, listOwn${Type}s, remove${Type} } from './${name}.ts';

export function ${plural}Routes(app: Http, context: Context): void {
  handle(app, ${plural}.list, ({ caller, query }) => listOwn${Type}s(context, caller, query));
  handle(app, ${plural}.create, async ({ caller, body }) => ({ data: await create${Type}(context, caller, body) }));
  handle(app, ${plural}.remove, async ({ caller, params }) => {
    await remove${Type}(context, caller, params.uuid);
    return done;
  });
}
`,
  [`server/features/${name}/${name}.store.ts`]: `
import { sql } from 'kysely';
import type { Db } from '../../infra/db.ts';
import type { Position } from '../../infra/page.ts';
import type { ${Type}Table } from './${name}.tables.ts';

export function list${Type}s(
  db: Db,
  { workspace, limit, after }: { workspace: string; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('${table}').selectAll().where('workspace', '=', workspace);
  if (after) query = query.where(sql<boolean>\`(created_at, uuid) < (\${Number(after.at)}, \${after.uuid})\`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const listEvery${Type} = (db: Db, workspace: string) =>
  db.selectFrom('${table}').select(['uuid', 'name', 'created_at']).where('workspace', '=', workspace).orderBy('uuid').execute();

export const insert${Type} = (db: Db, row: ${Type}Table) => db.insertInto('${table}').values(row).execute();

export const delete${Type} = (db: Db, workspace: string, uuid: string) =>
  db.deleteFrom('${table}').where('workspace', '=', workspace).where('uuid', '=', uuid).executeTakeFirstOrThrow();
`,
  [`server/features/${name}/${name}.tables.ts`]: `
import type { Entity } from '../../infra/db.types.ts';

export interface ${Type}Table extends Entity {
  workspace: string;
  name: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    ${table}: ${Type}Table;
  }
}
`,
  [`server/features/${name}/${name}.test.ts`]: `
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ${plural} } from '../../../shared/contracts/${name}.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const add = async (person: Person, name: string) => (await person.call(${plural}.create, { body: { name } })).body.data;
const listed = async (person: Person) => (await person.call(${plural}.list)).body.data.map(({ name }) => name);

test('what is added is listed, newest first', async () => {
  const person = await app.aPerson();
  await add(person, 'First');
  await add(person, 'Second');
  expect(await listed(person)).toEqual(['Second', 'First']);
});

test('a long list comes page by page', async () => {
  const person = await app.aPerson();
  for (const name of ['First', 'Second', 'Third']) await add(person, name);
  const { data, meta } = (await person.call(${plural}.list, { query: { limit: 2 } })).body;
  const { body } = await person.call(${plural}.list, { query: { cursor: meta.nextCursor ?? '' } });
  expect([...data, ...body.data].map(({ name }) => name)).toEqual(['Third', 'Second', 'First']);
});

test('what is removed is gone', async () => {
  const person = await app.aPerson();
  const { uuid } = await add(person, 'Old');
  expect((await person.call(${plural}.remove, { params: { uuid } })).body).toEqual({ ok: true });
  expect(await listed(person)).toEqual([]);
  const again = await person.call(${plural}.remove, { params: { uuid } });
  expect([again.status, again.error?.code]).toEqual([404, '${name}-not-found']);
});
`,
});

const web = ({ name, many, plural, Type }: Names): Record<string, string> => ({
  [`web/pages/${many}.tsx`]: `
import { ${Type}List } from '../features/${name}/${name}-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

export default function ${Type}sPage() {
  const { t } = useTranslation('common');
  useTitle(t('page.${many}'));
  return <${Type}List />;
}
`,
  [`web/features/${name}/${name}.queries.ts`]: `
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ${plural} } from '../../../shared/contracts/${name}.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const queryKey = ['${many}'] as const;

export const use${Type}s = () =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => call(${plural}.list, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

export function useCreate${Type}() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyIn<typeof ${plural}.create>) => call(${plural}.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}

export function useRemove${Type}() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(${plural}.remove, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
`,
  [`web/features/${name}/${name}-list.tsx`]: `
import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ${Type} } from '../../../shared/contracts/${name}.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { useCreate${Type}, use${Type}s, useRemove${Type} } from './${name}.queries.ts';

export function ${Type}List() {
  const { t } = useTranslation('${name}');
  const all = use${Type}s();
  const remove = useRemove${Type}();
  const mayEdit = useMay('edit');
  const [isAdding, add] = useDisclosure();
  const [removing, setRemoving] = useState<${Type}>();
  const button = mayEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('common:page.${many}')} facts={t('description')} actions={all.data?.length ? button : undefined}>
      <PagedList
        query={all}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="documents" title={t('empty')} text={t('emptyText')} action={button} />}
      >
        {(rows) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('common:name')}</th>
                <th style={{ width: 120 }}>{t('added')}</th>
                <th style={{ width: 40 }}>
                  <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.uuid} aria-label={row.name}>
                  <td style={{ overflow: 'hidden', textOverflow: 'ellipsis' }} title={row.name}>
                    {row.name}
                  </td>
                  <td className={table['quiet']} title={formatMoment(row.createdAt)}>
                    {formatAgo(row.createdAt)}
                  </td>
                  <td>
                    {mayEdit && (
                      <IconButton label={t('common:remove')} onClick={() => setRemoving(row)}>
                        <IconTrash size={16} />
                      </IconButton>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
      {isAdding && <AddDialog onClose={add.close} />}
      <ConfirmDialog
        opened={removing !== undefined}
        title={t('remove.title', { name: removing?.name })}
        text={t('remove.text')}
        confirm={t('common:remove')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={() => setRemoving(undefined)}
        onConfirm={() =>
          removing &&
          remove.mutate(removing.uuid, {
            onError: (error) => toast.error(errorText(error)),
            onSettled: () => setRemoving(undefined),
          })
        }
      />
    </Page>
  );
}

function AddDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('${name}');
  const create = useCreate${Type}();
  return (
    <RenameDialog
      title={t('add')}
      label={t('common:name')}
      name=""
      maxLength={60}
      isBusy={create.isPending}
      error={create.error ? errorText(create.error) : undefined}
      onSave={(name) => create.mutate({ name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
`,
});
