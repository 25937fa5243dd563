import type { BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { openIdSettings, startOpenIdProvider } from '../server/testing/openid.ts';
import { accounts } from '../shared/contracts/accounts.ts';
import { arrive } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';

test.use({ serviceWorkers: 'allow' });

interface Manifest {
  id: string;
  name: string;
  lang: string;
  start_url: string;
  scope: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  shortcuts: { url: string }[];
}

const workerOf = async (context: BrowserContext) =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));

const isInCharge = (page: Page) =>
  expect.poll(() => page.evaluate('navigator.serviceWorker.controller?.state'), { timeout: 20_000 }).toBe('activated');

test('the app can be installed in both languages, with pictures of the sizes that it names', async ({
  page,
  kotae,
}) => {
  await page.goto(`${kotae.url}/Login`);
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.en.webmanifest');
  const ids = new Set<string>();
  for (const lang of ['en', 'ja']) {
    const response = await page.request.get(`${kotae.url}/manifest.${lang}.webmanifest`);
    expect(response.headers()['content-type']).toContain('application/manifest+json');
    const manifest: Manifest = await response.json();
    ids.add(manifest.id);
    expect(manifest).toMatchObject({ lang, start_url: '/', scope: '/', display: 'standalone' });
    for (const { src, sizes, type } of manifest.icons) {
      const picture = await page.request.get(`${kotae.url}${src}`);
      expect(picture.headers()['content-type']).toContain(type);
      if (sizes === 'any') continue;
      const { width, height } = await sharp(await picture.body()).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    const whole = manifest.icons.filter(({ purpose }) => purpose === 'maskable').map(({ sizes }) => sizes);
    expect(whole).toEqual(expect.arrayContaining(['192x192', '512x512']));
    for (const { url } of manifest.shortcuts) expect((await page.request.get(`${kotae.url}${url}`)).status()).toBe(200);
  }
  // One app, whichever language it was installed in.
  expect(ids.size).toBe(1);
  const browser = await page.context().newCDPSession(page);
  const { errors } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId)).not.toContain('no-acceptable-icon');
});

test('without a network the app says so and what was open, keeps nothing else, and comes back', async ({
  page,
  context,
  kotae,
}) => {
  await arrive(page, kotae.url, 'en');
  const worker = await page.request.get(`${kotae.url}/sw.js`);
  expect(worker.headers()['cache-control']).toBe('no-cache');
  await page.goto(`${kotae.url}/Account?tab=notices`);
  await isInCharge(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  const kept = await (
    await workerOf(context)
  ).evaluate(`(async () => {
    const found = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found.toSorted();
  })()`);
  expect(kept).toEqual(['/favicon.svg', '/offline.html', '/offline.js']);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await expect(page.getByText('You were at: Account')).toBeVisible();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/Account?tab=notices');
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(await page.evaluate("fetch('/api/user/notices').then(() => 'answered', () => 'failed')")).toBe('failed');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
});

test('a notice is shown by the worker, and pressed leads to its conversation in the page that is open', async ({
  page,
  context,
  kotae,
}) => {
  await context.grantPermissions(['notifications'], { origin: kotae.url });
  await arrive(page, kotae.url, 'en');
  await page.goto(kotae.url);
  await isInCharge(page);
  const browser = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    }),
  );
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  const thread = '01a20700-0000-7000-8000-000000000000';
  const shown = () =>
    page.evaluate(
      'navigator.serviceWorker.ready.then((each) => each.getNotifications()).then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))',
    );
  const push = (data: string) =>
    browser.send('ServiceWorker.deliverPushMessage', { origin: kotae.url, registrationId, data });
  for (const body of ['Is it open?', 'Hello?'])
    await push(JSON.stringify({ title: 'Yui', body, lang: 'en', tag: thread, url: `/Friend?thread=${thread}` }));
  await expect.poll(shown).toEqual([{ title: 'Yui', body: 'Hello?', tag: thread }]);
  const press = (url: string) =>
    workerOf(context).then((worker) =>
      worker.evaluate(
        `registration.getNotifications().then(([notification]) => dispatchEvent(new NotificationEvent('notificationclick', { notification: Object.defineProperty(notification, 'data', { value: { url: '${url}' } }) })))`,
      ),
    );
  // What leads elsewhere leads nowhere.
  await press('https://example.com/Friend');
  expect(new URL(page.url()).origin).toBe(kotae.url);
  await push(JSON.stringify({ title: 'Yui', body: 'Hello?', tag: thread, url: `/Friend?thread=${thread}` }));
  await expect.poll(shown).toHaveLength(1);
  await press(`/Friend?thread=${thread}`);
  await expect(page).toHaveURL(new RegExp(`/Friend\\?thread=${thread}`));
  // Something that is not what we send is shown as ours, and leads to the inbox. The browser's tools lose what they deliver to a
  // worker that is just ending, as push services do not.
  await expect.poll(() => push('not json').then(shown)).toEqual([{ title: 'Kotae', body: '', tag: 'kotae' }]);
});

test('the account says how it stands with notices here, and keeps what was chosen', async ({
  page,
  context,
  kotae,
}) => {
  await context.grantPermissions(['notifications'], { origin: kotae.url });
  await arrive(page, kotae.url, 'en');
  await page.goto(`${kotae.url}/Account?tab=notices`);
  const push = page.getByRole('switch', { name: /^Browser notifications/ });
  await expect(push).toBeEnabled();
  await expect(push).not.toBeChecked();
  await expect(page.getByText('This server does not send email.')).toBeVisible();
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await page.getByLabel('From').fill('23:30');
  await page.getByLabel('To', { exact: true }).focus();
  await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('From')).toHaveValue('23:30');
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('07:00');
  // What a person sets in the browser's own settings.
  await page.addInitScript("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })");
  await page.reload();
  await expect(page.getByText('This browser blocks notifications from Kotae.')).toBeVisible();
  await expect(push).toBeDisabled();
  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('with the worker in charge a link that opens once is opened once, and then says so on a page', async ({
  page,
  kotae,
}) => {
  await arrive(page, kotae.url, 'en');
  await page.goto(`${kotae.url}/Account?tab=data`);
  await isInCharge(page);
  // A page that the worker has brought, as all are from then on.
  await page.reload();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await coming;
  expect(await download.failure()).toBeNull();
  expect(download.suggestedFilename()).toMatch(/^kotae-hanako-.*\.zip$/);
  const answer = await page.goto(download.url());
  expect(answer?.status()).toBe(400);
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
  await expect(page.getByText('This code or link is wrong, has already been used, or has expired.')).toBeVisible();
  await expectAccessible(page);
});

test('with the worker in charge the code that Google sends back is used once', async ({ page }) => {
  const google = await startOpenIdProvider(
    { sub: 'sub-1', email: 'jiro@example.com', email_verified: true, name: 'Jiro' },
    () => `${kotae.url}${accounts.googleCallback.path}`,
  );
  const kotae = await openKotae(openIdSettings(google.issuer));
  const complaints = complaintsOf(page);
  let finished = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    finished += Number(pathname === accounts.googleCallback.path && request.resourceType() === 'fetch');
  });
  try {
    await arrive(page, kotae.url, 'en');
    await page.goto(`${kotae.url}/Account`);
    await isInCharge(page);
    await page.reload();
    await page.getByRole('button', { name: 'Account of hanako' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await expect(page).toHaveURL(`${kotae.url}/`);
    await expect(page.getByRole('button', { name: /^Account of Jiro/i })).toBeVisible();
    expect(finished).toBe(1);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await kotae.close();
    await google.close();
  }
});
