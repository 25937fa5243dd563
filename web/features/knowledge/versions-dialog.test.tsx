import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from '../../../shared/contracts/accounts.ts';
import { documents, type Document, type DocumentVersion } from '../../../shared/contracts/knowledge.ts';
import { resetSession, setUser } from '../../lib/session.ts';
import { serve, show } from '../../testing/show.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

const now = '2026-11-01T09:00:00.000Z';
const document: Document = {
  uuid: crypto.randomUUID(),
  knowledge: crypto.randomUUID(),
  name: 'prices.txt',
  source: 'file',
  url: null,
  mime: 'text/plain',
  bytes: 20,
  language: 'en',
  pages: null,
  status: 'indexed',
  stage: null,
  progress: 1,
  error: null,
  warnings: [],
  tokens: 5,
  chunkCount: 1,
  enabled: true,
  createdAt: now,
  updatedAt: now,
};

const signIn = (role: User['workspaces'][number]['role']) => {
  window.document.cookie = 'jwt=token; path=/';
  setUser({
    uuid: crypto.randomUUID(),
    username: 'hanako',
    displayName: null,
    email: 'hanako@example.com',
    emailVerified: true,
    pendingEmail: null,
    locale: 'en',
    timezone: 'Asia/Tokyo',
    avatar: null,
    providers: ['local'],
    twoFactor: false,
    suspendedAt: null,
    operator: false,
    workspaces: [{ uuid: crypto.randomUUID(), name: 'Shop', shop: 'Shop', avatar: null, role, personal: true }],
    createdAt: now,
    updatedAt: now,
  });
};
beforeEach(() => signIn('editor'));
afterEach(resetSession);

const versionOf = (name: string, by: DocumentVersion['by']): DocumentVersion => ({
  uuid: crypto.randomUUID(),
  name,
  mime: 'text/plain',
  bytes: 1200,
  replacedAt: now,
  by,
  keptUntil: '2026-12-01T09:00:00.000Z',
  createdAt: now,
  updatedAt: now,
});

const versions = [
  versionOf('new.txt', { uuid: crypto.randomUUID(), name: 'hanako' }),
  versionOf('visited.txt', null),
  versionOf('old.txt', { uuid: crypto.randomUUID(), name: null }),
];

const dialog = (of = document) => show(<VersionsDialog document={of} onClose={() => {}} />);

test('each version says by whom it was replaced, and comes back at one press', async () => {
  serve(documents.versions, () => ({ data: versions, meta: { nextCursor: null } }));
  const asked = serve(documents.restoreVersion, () => ({
    data: { ...document, status: 'queued' as const, duplicate: false, fileName: 'visited.txt' },
  }));
  const { user } = dialog();
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(({ textContent }) => /hanako|Website visit|Unknown/.exec(textContent)?.[0])).toEqual([
    'hanako',
    'Website visit',
    'Unknown',
  ]);
  const [, visited] = rows;
  if (!visited) throw new Error('No such row');
  await user.click(within(visited).getByRole('button', { name: /^Restore visited\.txt/ }));
  expect(asked.map(({ url }) => url.pathname)).toEqual([
    expect.stringContaining(`/document/${document.uuid}/versions/${versions[1]?.uuid}/restore`),
  ]);
});

test('while the document is being read nothing can be restored, and everything saved', async () => {
  serve(documents.versions, () => ({ data: versions, meta: { nextCursor: null } }));
  dialog({ ...document, status: 'parsing' });
  for (const button of await screen.findAllByRole<HTMLButtonElement>('button', { name: /^Restore/ }))
    expect(button.disabled).toBe(true);
  for (const button of screen.getAllByRole<HTMLButtonElement>('button', { name: /^Download/ }))
    expect(button.disabled).toBe(false);
});

test('a viewer can save a version, and not restore it', async () => {
  signIn('viewer');
  serve(documents.versions, () => ({ data: versions, meta: { nextCursor: null } }));
  dialog();
  expect(await screen.findAllByRole('button', { name: /^Download/ })).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /^Restore/ })).toBeNull();
});

test('without versions it says what they are', async () => {
  serve(documents.versions, () => ({ data: [], meta: { nextCursor: null } }));
  dialog();
  expect(await screen.findByText(/the old one stays here for 30 days/)).toBeTruthy();
});
