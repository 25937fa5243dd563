import { accounts } from '../shared/contracts/accounts.ts';
import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { createDatabase } from '../server/testing/database.ts';
import { startMailServer, type MailServer } from '../server/testing/mail.ts';
import { openIdSettings, startOpenIdProvider } from '../server/testing/openid.ts';
import { arrive } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';

const password = 'correct horse battery';
const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** The link in the newest mail to an address. */
async function linkTo(mail: MailServer, address: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      () =>
        (link = /https?:\/\/\S+/.exec(
          mail.mails.findLast((one) => one.envelope.to.includes(address))?.text ?? '',
        )?.[0]),
    )
    .toBeDefined();
  return link ?? '';
}

/** What the server answers whoever is signed in on a page, where they are. */
async function statusOf(page: Page, path: string): Promise<number> {
  const jwt = (await page.context().cookies()).find(({ name }) => name === 'jwt')?.value;
  const workspace = String(await page.evaluate("sessionStorage.getItem('workspace')"));
  return (
    await fetch(new URL(`/api/${path}`, page.url()), {
      headers: { authorization: `Bearer ${jwt}`, 'x-workspace': workspace },
    })
  ).status;
}

async function aPage(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Europe/London' });
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page) };
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test.describe(`on ${engine}`, () => {
    test.skip(engine === 'postgres' && !process.env['TEST_DATABASE_URL'], 'needs TEST_DATABASE_URL');

    test('from the first account to a colleague who comes in with Google and is thrown out again', async ({
      browser,
    }) => {
      test.setTimeout(300_000);
      const [mail, database] = [await startMailServer(), await createDatabase({ engine })];
      const google = await startOpenIdProvider(
        { sub: 'sub-1', email: 'jiro@example.com', email_verified: true, name: 'Jiro' },
        () => `${kotae.url}/api/auth/google/callback`,
      );
      const kotae = await openKotae({ ...database.settings, ...openIdSettings(google.issuer), SMTP_URL: mail.url });
      const [{ page, complaints }, staff] = [await aPage(browser), await aPage(browser)];
      try {
        await test.step('register, and confirm the address', async () => {
          await page.goto(`${kotae.url}/Register`);
          await page.getByLabel(/^Username/).fill('hanako');
          await page.getByLabel(/^Email/).fill('hanako@example.com');
          await page
            .getByLabel(/^Password/)
            .first()
            .fill('password');
          await page.getByRole('button', { name: 'Create account' }).click();
          await expect(page.getByText('too common')).toBeVisible();
          await page
            .getByLabel(/^Password/)
            .first()
            .fill(password);
          await page.getByRole('button', { name: 'Create account' }).click();
          await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
          await expectAccessible(page);
          await page.goto(await linkTo(mail, 'hanako@example.com'));
          await expect(page).toHaveURL(`${kotae.url}/`);
        });

        let secret = '';
        await test.step('turn on two-factor authentication', async () => {
          await page.getByRole('button', { name: 'Account of hanako' }).click();
          await page.getByRole('link', { name: 'Account' }).click();
          await page.getByRole('tab', { name: 'Security' }).click();
          await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
          secret = ((await page.locator('code, .mantine-Code-root').first().textContent()) ?? '').replace(/\s/g, '');
          await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
          await page.getByLabel('Code from the app').fill(codeOf(secret));
          await page.getByRole('button', { name: 'Turn on' }).click();
          await expect(page.getByText('Your backup codes')).toBeVisible();
          await page.getByRole('button', { name: 'I have kept them' }).click();
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await expectAccessible(page);
          await expectNoOverflow(page);
        });

        await test.step('sign out, and in again with the code', async () => {
          await page.getByRole('button', { name: 'Account of hanako' }).click();
          await page.getByRole('button', { name: 'Sign out', exact: true }).click();
          await expect(page).toHaveURL(/\/Login/);
          await page.getByLabel(/Email or username/).fill('hanako');
          await page
            .getByLabel(/^Password/)
            .first()
            .fill(password);
          await page.getByRole('button', { name: 'Sign in', exact: true }).click();
          await page.getByLabel('6-digit code').fill(codeOf(secret, Date.now() + 30_000));
          await expect(page).toHaveURL(`${kotae.url}/`);
        });

        await test.step('make a bot and publish it', async () => {
          await page.getByRole('link', { name: 'Bots' }).first().click();
          await page.getByRole('button', { name: 'Create a bot' }).first().click();
          await page.getByRole('dialog').getByRole('textbox').fill('Opening hours');
          await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
          await page.getByRole('button', { name: 'Publish' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
          const live = page.getByRole('dialog', { name: 'The bot is live' });
          await expect(live.getByText(/\/Bot\/[^/]+\/Chat$/)).toBeVisible();
          await expectAccessible(page);
          await page.keyboard.press('Escape');
          await expect(page.getByText('Published').first()).toBeVisible();
        });

        await test.step('invite a member of staff by mail', async () => {
          await page.getByRole('link', { name: 'Team' }).click();
          await page.getByRole('button', { name: 'Invite', exact: true }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('textbox', { name: /^Email/ }).fill('jiro@example.com');
          await dialog.getByRole('radio', { name: /^Staff/ }).check();
          await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
          await expect(dialog.getByText('on its way')).toBeVisible();
          await dialog.getByRole('button', { name: 'Done' }).click();
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await expectAccessible(page);
        });

        await test.step('the invited person signs in with Google and joins', async () => {
          await staff.page.goto(await linkTo(mail, 'jiro@example.com'));
          await expect(staff.page.getByText('hanako').first()).toBeVisible();
          await staff.page
            .getByRole('link', { name: 'Create an account' })
            .or(staff.page.getByRole('link', { name: 'Sign in' }))
            .first()
            .click();
          await staff.page.getByRole('link', { name: 'Continue with Google' }).click();
          await staff.page
            .getByRole('button', { name: 'Join' })
            .or(staff.page.getByRole('button', { name: /Workspace: .*hanako/ }))
            .first()
            .waitFor();
          if (await staff.page.getByRole('button', { name: 'Join' }).isVisible())
            await staff.page.getByRole('button', { name: 'Join' }).click();
          await expect(staff.page.getByRole('button', { name: /Workspace: .*hanako.*Staff/ })).toBeVisible();
        });

        await test.step('they see exactly what staff may', async () => {
          await staff.page.goto(`${kotae.url}/Team`);
          await expect(staff.page.getByText('hanako@example.com')).toBeVisible();
          await expect(staff.page.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0);
          await staff.page.goto(`${kotae.url}/Token`);
          await expect(staff.page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
          await expect(staff.page.getByRole('tab')).toHaveCount(0);
          await staff.page.goto(`${kotae.url}/Operator`);
          await expect(staff.page.getByText('This is for operators only')).toBeVisible();
          await staff.page.goto(`${kotae.url}/Bot`);
          await expect(staff.page.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(staff.page.getByRole('article', { name: 'Opening hours' })).toBeVisible();
          await expect(staff.page.getByRole('button', { name: 'Create a bot' })).toHaveCount(0);
          await expect(staff.page.getByRole('button', { name: /^More for/ })).toHaveCount(0);
          await expect(staff.page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
          await staff.page.getByRole('link', { name: 'Opening hours' }).click();
          await expect(staff.page.getByRole('textbox', { name: 'Your message' })).toBeVisible();
          const chat = staff.page.url();
          await staff.page.goto(chat.replace('/Chat', ''));
          await expect(staff.page.getByText(/your role is Staff, which does not include “Bots”/)).toBeVisible();
          await staff.page.goto(`${kotae.url}/Knowledge/Add`);
          await expect(staff.page.getByRole('heading', { name: 'Your role cannot open this page' })).toBeVisible();
          expect(new URL(staff.page.url()).pathname).toBe('/Knowledge/Add');
          await expectAccessible(staff.page);
          await expectNoOverflow(staff.page);
          await staff.page.getByRole('link', { name: 'Go to Home' }).click();
          await expect(staff.page).toHaveURL(`${kotae.url}/`);
          await expect(staff.page.getByRole('link', { name: 'Operation' })).toHaveCount(0);
          for (const [page, status] of [
            ['user/bots', 200],
            ['user/api-keys', 403],
            ['user/invitations', 403],
            ['operator/users', 403],
          ] as const)
            expect([page, await statusOf(staff.page, page)]).toEqual([page, status]);
        });

        await test.step('removed, they are out of the workspace within two seconds', async () => {
          await page.reload();
          await page
            .getByRole('button', { name: /^Remove/ })
            .first()
            .click();
          const removed = Date.now();
          await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
          await expect(staff.page.getByRole('button', { name: /Workspace: .*Jiro.*Owner/ })).toBeVisible({
            timeout: 4000,
          });
          expect(Date.now() - removed).toBeLessThan(2500);
          await expect(staff.page.getByText('You are no longer in the workspace')).toBeVisible();
        });

        await test.step('suspended by the operator, they are signed out within two seconds', async () => {
          await page.goto(`${kotae.url}/Operator?tab=users`);
          await page.getByRole('button', { name: 'Actions for Jiro' }).click();
          await page.getByRole('menuitem', { name: 'Suspend' }).click();
          const suspended = Date.now();
          await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
          await expect(staff.page).toHaveURL(/\/Login/, { timeout: 4000 });
          expect(Date.now() - suspended).toBeLessThan(2500);
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await expectAccessible(page);
        });
        expect([complaints, staff.complaints]).toEqual([[], []]);
      } finally {
        await page.context().close();
        await staff.page.context().close();
        await kotae.close();
        await google.close();
        await mail.close();
        await database.drop();
      }
    });
  });
}

test('a passkey is added, and signs in without a password', async ({ page, kotae }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await arrive(page, kotae.url);
  await page.goto(`${kotae.url}/Account?tab=security`);
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Account of hanako' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(`${kotae.url}/`);
});

test('an account is deleted with its name typed, and the person is gone', async ({ page, kotae }) => {
  await arrive(page, kotae.url);
  await page.goto(`${kotae.url}/Account?tab=data`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^kotae-hanako-.*\.zip$/);
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Type your username/).fill('hanako');
  await dialog
    .getByLabel(/^Password|^Current password/)
    .first()
    .fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('Your account was deleted')).toBeVisible();
  // Nobody is left, so the server waits for its first account again.
  await expect(page).toHaveURL(/\/Register/);
  const { path } = accounts.signIn;
  const reply = await page.request.post(kotae.url + path, { data: { identifier: 'hanako', password } });
  expect(reply.ok()).toBe(false);
});
