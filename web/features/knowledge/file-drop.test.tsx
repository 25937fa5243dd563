import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { documents } from '../../../shared/contracts/knowledge.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { FileDrop } from './file-drop.tsx';

const base = crypto.randomUUID();
const now = new Date().toISOString();

const added = (name: string, duplicate: boolean): ReplyOf<typeof documents.add> => ({
  data: [
    {
      uuid: crypto.randomUUID(),
      knowledge: base,
      name,
      source: 'file',
      url: null,
      mime: 'text/plain',
      bytes: 1,
      language: null,
      pages: null,
      status: 'queued',
      stage: null,
      progress: 0,
      error: null,
      warnings: [],
      tags: [],
      fields: [],
      tokens: 0,
      chunkCount: 0,
      enabled: true,
      createdAt: now,
      updatedAt: now,
      duplicate,
      fileName: name,
    },
  ],
  meta: { skipped: [] },
});

const isNamed = (...names: string[]) =>
  serve(documents.named, () => ({ data: names.map((name) => ({ name, document: crypto.randomUUID() })) }));

const chosen = (...names: string[]) =>
  fireEvent.change(screen.getByLabelText('Drop files here, or click to choose'), {
    target: { files: names.map(aFile) },
  });

const aFile = (name: string) => new File(['x'], name, { type: 'text/plain' });
const sentName = (body: unknown): string => {
  const file = body instanceof FormData && body.get('file');
  return file instanceof File ? file.name : '';
};

describe('a file of a name that the base has', () => {
  const sent = () => ({
    added: serve(documents.add, ({ body }) => added(sentName(body), false)),
    replaced: serve(documents.replace, ({ body }) => {
      const [data] = added(sentName(body), false).data;
      if (!data) throw new Error('nothing was sent');
      return { data };
    }),
  });

  test('takes the place of what is there where its sender says so, asked once for all', async () => {
    isNamed('a.txt', 'b.txt');
    const { added, replaced } = sent();
    const { user } = show(<FileDrop base={base} />);
    chosen('a.txt', 'new.txt', 'b.txt', 'b.txt');
    expect((await screen.findByRole('dialog', { name: 'Replace 2 documents?' })).textContent).toMatch(/a\.txtb\.txt/);
    expect(added).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    await vi.waitFor(() => expect(replaced.map(({ body }) => sentName(body))).toEqual(['a.txt', 'b.txt']));
    await vi.waitFor(() => expect(added.map(({ body }) => sentName(body))).toEqual(['new.txt', 'b.txt']));
  });

  test('is added beside it, or not sent at all', async () => {
    isNamed('a.txt');
    const { added, replaced } = sent();
    const { user } = show(<FileDrop base={base} />);
    chosen('a.txt', 'new.txt');
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    chosen('a.txt');
    await screen.findByRole('dialog', { name: 'Replace 1 document?' });
    await user.click(await screen.findByRole('button', { name: 'Keep both' }));
    await vi.waitFor(() => expect(added.map(({ body }) => sentName(body))).toEqual(['a.txt']));
    expect(replaced).toEqual([]);
  });
});

test('each file is sent by itself and tells how it went; a bad one does not keep the others back', async () => {
  isNamed();
  const calls = serve(documents.add, ({ body }) => {
    const name = sentName(body);
    if (name === 'bad.txt') return refusal(415, { code: 'unsupported-file', message: 'This file cannot be read.' });
    return added(name, name === 'twice.txt');
  });
  const onSettled = vi.fn<() => void>();
  show(<FileDrop base={base} onSettled={onSettled} />);
  fireEvent.change(screen.getByLabelText('Drop files here, or click to choose'), {
    target: { files: [aFile('bad.txt'), aFile('twice.txt'), aFile('good.txt')] },
  });
  expect(await screen.findByText('This file cannot be read.')).toBeTruthy();
  expect(await screen.findByText('Already in this base, so not added again.')).toBeTruthy();
  await vi.waitFor(() => expect(onSettled).toHaveBeenCalledOnce());
  expect(calls.map(({ body }) => sentName(body))).toEqual(['bad.txt', 'twice.txt', 'good.txt']);
  expect(screen.getByText('good.txt')).toBeTruthy();
});

test('the next one waits until the one before it is there', async () => {
  isNamed();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const calls = serve(documents.add, ({ body }) => held.then(() => added(sentName(body), false)));
  show(<FileDrop base={base} />);
  fireEvent.change(screen.getByLabelText('Drop files here, or click to choose'), {
    target: { files: [aFile('one.txt'), aFile('two.txt')] },
  });
  expect(await screen.findByText('two.txt')).toBeTruthy();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  letGo();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
});

test('a folder that is dropped is sent with its structure, and each file tells how it went', async () => {
  isNamed();
  const calls = serve(documents.add, ({ body }) => added(sentName(body), false));
  show(<FileDrop base={base} />);
  const file = (name: string) => ({
    isFile: true,
    isDirectory: false,
    fullPath: name,
    file: (take: (file: File) => void) => take(aFile(name.split('/').at(-1) ?? '')),
  });
  const folder = (name: string, ...batches: object[][]) => ({
    isFile: false,
    isDirectory: true,
    fullPath: name,
    createReader: () => ({ readEntries: (take: (entries: object[]) => void) => take(batches.shift() ?? []) }),
  });
  const shop = folder(
    '/shop',
    [file('/shop/hours.txt'), file('/shop/.DS_Store')],
    [folder('/shop/menu', [file('/shop/menu/lunch.txt')])],
  );
  const item = (entry: object, dropped: File | null) => ({
    kind: 'file',
    getAsFile: () => dropped,
    webkitGetAsEntry: () => entry,
  });
  fireEvent.drop(window, {
    dataTransfer: { types: ['Files'], items: [item(file('/a.txt'), aFile('a.txt')), item(shop, null)] },
  });
  expect(await screen.findByText('shop/menu/lunch.txt')).toBeTruthy();
  await vi.waitFor(() =>
    expect(calls.map(({ body }) => sentName(body))).toEqual(['a.txt', 'shop/hours.txt', 'shop/menu/lunch.txt']),
  );
});

test('a ZIP tells how each file in it went', async () => {
  isNamed();
  serve(documents.add, (): ReplyOf<typeof documents.add> => ({
    data: [...added('menu/lunch.txt', false).data, ...added('menu/dinner.txt', true).data],
    meta: { skipped: [{ name: 'film.mp4', code: 'file-type-not-supported', message: 'This kind cannot be read.' }] },
  }));
  show(<FileDrop base={base} />);
  chosen('shop.zip');
  expect(await screen.findByText('This kind cannot be read.')).toBeTruthy();
  for (const name of ['menu/lunch.txt', 'menu/dinner.txt', 'film.mp4']) expect(screen.getByText(name)).toBeTruthy();
  expect(screen.getByText('Already in this base, so not added again.')).toBeTruthy();
  expect(screen.queryByText('shop.zip')).toBeNull();
});
