import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { bots, emptyConfig, type Bot } from '../../../shared/contracts/bots.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { botKeys } from './bots.queries.ts';
import { useDraft } from './use-draft.ts';

const bot: Bot = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  description: '',
  avatar: null,
  mark: 7,
  botgroup: null,
  draft: emptyConfig,
  secrets: [],
  published: null,
  changed: true,
  visibility: 'private',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

function Form() {
  const { values, set, conflict, error, faulty, fieldError } = useDraft({
    bot,
    bases: [],
    onSaved: () => {},
    onState: () => {},
  });
  return (
    <>
      {(['name', 'description'] as const).map((field) => (
        <label key={field}>
          {field}
          <input value={values[field]} onChange={(event) => set(field, event.currentTarget.value)} />
          <em>{fieldError(field)}</em>
        </label>
      ))}
      <output>{error?.message}</output>
      {conflict && (
        <button type="button" onClick={conflict.loadTheirs}>
          load theirs: {conflict.fields.join(', ')}
        </button>
      )}
      <menu>{faulty.join(' ')}</menu>
    </>
  );
}

test('what somebody else has changed comes into the form; what both have changed is asked about', async () => {
  const theirs = { ...bot, description: 'Theirs', updatedAt: '2026-11-01T09:01:00.000Z' };
  let stored = theirs;
  serve(bots.get, () => ({ data: stored }));
  serve(bots.update, ({ body }) => {
    const { seen, ...changes } = Object(body);
    if (seen !== stored.updatedAt)
      return Response.json(
        { error: { code: 'conflict', message: 'Somebody was faster.', details: {} } },
        { status: 409 },
      );
    stored = { ...stored, ...changes };
    return { data: stored };
  });
  const { user } = await show(<Form />);
  await user.type(screen.getByLabelText('name'), 's');
  await vi.waitFor(() => expect(stored.name).toBe('Shops'), { timeout: 5000 });
  screen.getByDisplayValue('Theirs');
  stored = { ...stored, description: 'Theirs again', updatedAt: '2026-11-01T09:02:00.000Z' };
  await user.type(screen.getByLabelText('description'), ' and mine');
  const ask = await screen.findByRole('button', { name: 'load theirs: description' }, { timeout: 5000 });
  expect(stored.description).toBe('Theirs again');
  await user.click(ask);
  screen.getByDisplayValue('Theirs again');
  expect(screen.queryByRole('button')).toBeNull();
});

/** A server that takes no name that is "Taken". */
function aForm() {
  serve(bots.update, ({ body }) => {
    const { name } = Object(body);
    return name === 'Taken'
      ? Response.json(
          {
            error: {
              code: 'validation-failed',
              message: 'Check the fields.',
              details: { fields: [{ path: 'name', code: 'invalid', message: 'This name is used twice.' }] },
            },
          },
          { status: 400 },
        )
      : { data: { ...bot, ...Object(body) } };
  });
  return show(<Form />);
}
const said = () => ['em', 'output', 'menu'].map((each) => document.querySelector(each)?.textContent);

test('a change is saved although somebody published meanwhile, and is not asked for again and again', async () => {
  let stored: Bot = { ...bot, changed: false, updatedAt: '2026-11-01T09:01:00.000Z' };
  const heard: string[] = [];
  serve(bots.get, () => ({ data: stored }));
  serve(bots.update, ({ body }) => {
    const { seen, ...changes } = Object(body);
    heard.push(seen === stored.updatedAt ? 'saved' : 'conflict');
    if (seen !== stored.updatedAt) return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    stored = { ...stored, ...changes };
    return { data: stored };
  });
  const { user } = show(<Known />);
  await user.type(screen.getByLabelText('name'), 's');
  await vi.waitFor(() => expect(stored.name).toBe('Shops'), { timeout: 4_000 });
  expect(heard).toEqual(['conflict', 'saved']);
});

/** The page has read the bot as it was before. */
function Known() {
  const client = useQueryClient();
  useState(() => client.setQueryData(botKeys.one(bot.uuid), bot));
  return <Form />;
}

test('the error of a field goes as soon as the field is mended', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['This name is used twice.', 'Check the fields.', 'name']);
  await user.type(name, '!');
  expect(said()[0]).toBe('');
  expect(said()[2]).toBe('');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['', '', '']);
});

test('the error of a field goes when the field says again what is saved', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['This name is used twice.', 'Check the fields.', 'name']);
  await user.clear(name);
  await user.type(name, 'Shop');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['', '', '']);
});

test('the error of one field stays while another is changed', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(() => said()[0], { timeout: 5_000 }).toBe('This name is used twice.');
  await user.type(screen.getByLabelText(/^description/), 'x');
  expect(said()[0]).toBe('This name is used twice.');
});

/** The form on a page that one comes to from another, with the question that it asks who leaves. */
function aPage() {
  function Page() {
    const { values, set, retry, isDirty, flush } = useDraft({ bot, bases: [], onSaved: () => {}, onState: () => {} });
    return (
      <>
        <input aria-label="name" value={values.name} onChange={(event) => set('name', event.currentTarget.value)} />
        <button type="button" onClick={retry}>
          again
        </button>
        <Link to="/Bot">chat</Link>
        <ConfirmDialog {...useUnsavedGuard(isDirty, flush)} />
      </>
    );
  }
  const root = createRootRoute({ component: Outlet });
  const page = (path: string, component: () => ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([page('/edit', Page), page('/Bot', () => 'The chat')]),
    history: createMemoryHistory({ initialEntries: ['/edit'] }),
  });
  // A border: this router is not the one whose addresses the app's links know.
  return show(<RouterProvider router={router as never} />);
}

test('who leaves a moment after a change goes as soon as it is saved, and is not asked', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = serve(bots.update, async ({ body }) => {
    await promise;
    return { data: { ...bot, ...Object(body) } };
  });
  const { user } = aPage();
  await user.type(await screen.findByLabelText('name'), 's');
  await user.click(screen.getByRole('link'));
  await vi.waitFor(() => expect(asked.map(({ body }) => Object(body).name)).toEqual(['Shops']));
  expect(screen.queryByRole('dialog')).toBeNull();
  screen.getByDisplayValue('Shops');
  resolve();
  await screen.findByText('The chat');
  expect(asked).toHaveLength(1);
});

test('who leaves is asked when the change could not be saved, and goes as soon as it is', async () => {
  let isDown = true;
  serve(bots.update, ({ body }) =>
    isDown ? refusal(503, { code: 'unavailable', message: 'Not now.' }) : { data: { ...bot, ...Object(body) } },
  );
  const { user } = aPage();
  await user.type(await screen.findByLabelText('name'), 's');
  await user.click(screen.getByRole('link'));
  within(await screen.findByRole('dialog')).getByText(/Leave without saving/);
  isDown = false;
  screen.getByText('again').click();
  await screen.findByText('The chat');
});
