import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { usualEmbed, webChannels } from '../../../shared/contracts/web-channels.ts';
import { resetSession } from '../../lib/session.ts';
import { aBot, aChannel } from '../../testing/channels.ts';
import { serve, show } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { SnippetDialog } from './snippet-dialog.tsx';
import { modes, writeSnippet } from './snippets.ts';

const told = { origin: 'https://kotae.example', channel: aChannel().uuid };
afterEach(resetSession);

describe('each way to put it in gives the loader the same', () => {
  const given = (script: HTMLScriptElement | null) => ({ ...script?.dataset, src: script?.src, async: script?.async });

  /** What code puts into a page, which is not loaded here. */
  function run(code: string) {
    const put: HTMLScriptElement[] = [];
    const body = { append: (each: HTMLScriptElement) => put.push(each) };
    new Function('document', code)({ body, createElement: (name: string) => document.createElement(name) });
    return given(put[0] ?? null);
  }

  test.each(modes)('%s', (mode) => {
    const page = document.createElement('template');
    page.innerHTML = writeSnippet('html', { ...told, mode });
    const pasted = given(page.content.querySelector('script'));
    expect(pasted).toEqual({
      src: 'https://kotae.example/embed.js',
      async: true,
      channel: told.channel,
      ...(mode !== 'bubble' && { mode }),
      ...(mode === 'inline' && { target: '#kotae-chat' }),
    });
    expect(page.content.querySelector('#kotae-chat') !== null).toBe(mode === 'inline');
    const { src, async: _, ...attributes } = pasted;
    page.innerHTML = writeSnippet('tagManager', { ...told, mode });
    const managed = new URL(given(page.content.querySelector('script')).src ?? '');
    expect(managed.origin + managed.pathname).toBe(src);
    expect(Object.fromEntries(managed.searchParams)).toEqual(attributes);
    const [, effect = ''] =
      /useEffect\(\(\) => \{(.*?)return \(\) =>/s.exec(writeSnippet('react', { ...told, mode })) ?? [];
    expect(run(effect)).toEqual(pasted);
  });
});

test('whoever puts a bot on a site that is not published can publish it there', async () => {
  signIn(anOwner);
  const published = serve(bots.publish, () => ({ data: aBot() }));
  const bot = aChannel().bot && { ...aChannel().bot!, published: false };
  const shown = show(<SnippetDialog channel={aChannel({ bot })} onClose={vi.fn()} />);
  await screen.findByText('Shop is not published: visitors get no answer from it.');
  await shown.user.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(published.map(({ body }) => body)).toEqual([{ note: '' }]));
});

test('a page is checked, and each thing that was looked at says how it is', async () => {
  const checked = serve(webChannels.check, () => ({
    data: {
      checks: [
        { what: 'reached' as const, state: 'good' as const, text: 'shop.example was reached.' },
        { what: 'domain' as const, state: 'bad' as const, text: 'Add it under Access.' },
      ],
    },
  }));
  const settings = { ...usualEmbed, domains: ['*.shop.example', 'shop.example'] };
  const shown = show(<SnippetDialog channel={aChannel({ settings })} onClose={vi.fn()} />);
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Page to check' });
  expect(field.value).toBe('https://shop.example/');
  await shown.user.clear(field);
  await shown.user.type(field, 'shop.example/beans{Enter}');
  const [reached, domain] = await screen.findAllByRole('listitem');
  within(reached!).getByText('The page');
  within(domain!).getByText('Domain');
  within(domain!).getByText('Add it under Access.');
  expect(checked.map(({ body }) => body)).toEqual([{ url: 'https://shop.example/beans' }]);
});

test.each([
  ['127.0.0.1:4799', 'http://127.0.0.1:4799/'],
  ['localhost', 'http://localhost/'],
  ['localhost.example', 'https://localhost.example/'],
])('a machine of a maker’s own is asked without a certificate: %s', async (domain, address) => {
  show(<SnippetDialog channel={aChannel({ settings: { ...usualEmbed, domains: [domain] } })} onClose={vi.fn()} />);
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Page to check' });
  expect(field.value).toBe(address);
});

test('a secret is made after it was said what that ends, and shown once', async () => {
  signIn(anOwner);
  const made = serve(webChannels.secret, () => ({ data: { secret: 'kw_once' } }));
  const shown = show(<SnippetDialog channel={aChannel()} onClose={vi.fn()} />);
  await shown.user.click(await screen.findByRole('button', { name: 'Create a secret' }));
  expect(made).toEqual([]);
  const ask = await screen.findByRole('dialog', { name: 'Create a new secret?' });
  await shown.user.click(within(ask).getByRole('button', { name: 'Create a secret' }));
  await waitFor(() => screen.getByDisplayValue('kw_once'));
  screen.getByText('Copy it now: it is not shown again.');
});

test('who may not manage the workspace is offered no secret', async () => {
  signIn({ ...anOwner, workspaces: anOwner.workspaces.map((each) => ({ ...each, role: 'editor' })) });
  show(<SnippetDialog channel={aChannel()} onClose={vi.fn()} />);
  await screen.findByText('2. Check my site');
  expect(screen.queryByRole('button', { name: 'Create a secret' })).toBeNull();
});
