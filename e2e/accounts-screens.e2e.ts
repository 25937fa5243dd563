import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { accounts } from '../shared/contracts/accounts.ts';
import { operator } from '../shared/contracts/operator.ts';
import { workspaces } from '../shared/contracts/workspaces.ts';
import { arrive, callApi } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, test } from './server.ts';

const password = 'correct horse battery';
const phone = {
  viewport: { width: 360, height: 740 },
  locale: 'ja-JP',
  timezoneId: 'Asia/Tokyo',
  colorScheme: 'dark',
  hasTouch: true,
} as const;

test.use(phone);

async function look(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
}

async function open(page: Page, url: string, heading: string | RegExp): Promise<void> {
  await page.goto(url);
  await look(page, heading);
}

async function closeByKey(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function nameTeam(page: Page): Promise<void> {
  await page
    .getByRole('dialog')
    .getByLabel(/^ワークスペース名/)
    .fill('株式会社みなと商店 カスタマーサポート');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Hanako, the operator, in her team, which Yui has joined; the screens on the way there have a journey of their own. */
async function openTeam(page: Page, url: string): Promise<void> {
  const jwt = await arrive(page, url, 'ja');
  await page.goto(`${url}/Team?new=true`);
  await nameTeam(page);
  const workspace = (await callApi(url, workspaces.list, { jwt })).data.find(({ personal }) => !personal)?.uuid;
  const body = { role: 'staff', email: 'yui@example.com' } as const;
  const invited = (await callApi(url, workspaces.invite, { body, jwt, workspace })).data;
  await register(url, 'yui', new URL(invited.url).searchParams.get('code') ?? undefined);
}

async function register(url: string, username: string, invitation?: string): Promise<string | undefined> {
  const email = `${username}@example.com`;
  const reply = await callApi(url, accounts.register, {
    body: { username, email, password, locale: 'ja', invitation },
  });
  return 'jwt' in reply ? reply.jwt : undefined;
}

test('every screen of a team and of who is invited to it fits a phone, in Japanese and in the dark', async ({
  page,
  kotae,
  browser,
}) => {
  const other = await browser.newContext(phone);
  const guest = await other.newPage();
  const complaints = complaintsOf(guest);

  await test.step('the first account', async () => {
    await open(page, `${kotae.url}/Login`, 'アカウントの作成');
    await expect(page.getByText('まだアカウントがありません')).toBeVisible();
    const name = page.getByLabel(/^ユーザー名/);
    await page.getByRole('button', { name: 'アカウントを作成' }).click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/入力してください/);
    await name.fill('hanako');
    await page.getByLabel(/^メールアドレス/).fill('hanako@example.com');
    await page
      .getByLabel(/^パスワード/)
      .first()
      .fill(password);
    await page.keyboard.press('Enter');
    await look(page, 'ホーム');
  });

  let invitation = '';
  await test.step('the team', async () => {
    await open(page, `${kotae.url}/Team?new=true`, 'チーム');
    await nameTeam(page);
    await page.getByRole('button', { name: '招待', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('radio', { name: /^担当者/ })).toBeChecked();
    await look(page, 'ワークスペースに招待');
    await dialog.getByRole('textbox', { name: /^メールアドレス/ }).fill('yui@example.com');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('リンクを直接お渡しください')).toBeVisible();
    await look(page, 'ワークスペースに招待');
    const lost = await dialog.getByRole('textbox', { name: '招待リンク' }).inputValue();
    await dialog.getByRole('button', { name: '完了' }).click();
    await page.getByRole('button', { name: '招待の新しいリンクを作成：yui@example.com' }).click();
    await look(page, '新しい招待リンク');
    invitation = await dialog.getByRole('textbox', { name: '招待リンク' }).inputValue();
    expect(invitation).not.toBe(lost);
    await dialog.getByRole('button', { name: '完了' }).click();
    await look(page, '譲渡と削除');
    for (const [button, title] of [
      ['譲渡…', 'ワークスペースを譲渡'],
      ['削除…', 'ワークスペースを削除'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await look(page, title);
      await closeByKey(page);
    }
    await page.getByRole('button', { name: '役割ごとにできること' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'その他', exact: true }).click();
    await page.getByRole('button', { name: /^ワークスペース：/ }).click();
    await expect(page.getByRole('menuitem', { name: 'ワークスペースを作成' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the person invited sees to what and by whom, also while signing in', async () => {
    await open(guest, invitation, '「株式会社みなと商店 カスタマーサポート」に参加');
    await expect(guest.getByText('hanakoさんからの招待です')).toBeVisible();
    await guest.getByRole('link', { name: 'ログイン' }).click();
    await expect(
      guest.getByText('hanakoさんから、ワークスペース「株式会社みなと商店 カスタマーサポート」に招待されています。'),
    ).toBeVisible();
    await look(guest, 'ログイン');
    await guest.getByRole('link', { name: '新規登録' }).click();
    await look(guest, 'アカウントの作成');
    await guest.getByLabel(/^ユーザー名/).fill('yui');
    await guest
      .getByLabel(/^パスワード/)
      .first()
      .fill(password);
    await guest.keyboard.press('Enter');
    await look(guest, 'ホーム');
  });

  await test.step('staff are told what is not theirs', async () => {
    await open(guest, `${kotae.url}/Team`, 'ワークスペース');
    await open(guest, `${kotae.url}/Token`, '利用状況');
    await open(guest, `${kotae.url}/Operator`, 'サーバー管理者専用のページです');
    await guest.getByRole('button', { name: 'その他', exact: true }).click();
    await expect(guest.getByRole('link', { name: 'チーム' })).toBeVisible();
    await expect(guest.getByRole('link', { name: 'APIキー' })).toHaveCount(0);
  });

  await test.step('the member who came, and the dialog to remove them', async () => {
    await open(page, `${kotae.url}/Team`, 'メンバー');
    await page.getByRole('button', { name: 'yuiさんをメンバーから外す' }).click();
    await look(page, 'yuiさんをメンバーから外しますか？');
    await closeByKey(page);
  });

  expect(complaints).toEqual([]);
  await other.close();
});

test('every screen of keys and operation fits a phone, in Japanese and in the dark', async ({ page, kotae }) => {
  await openTeam(page, kotae.url);

  await test.step('keys', async () => {
    await open(page, `${kotae.url}/Token?tab=keys`, 'APIキーはまだありません');
    await page.getByRole('button', { name: 'APIキーを作成' }).click();
    await look(page, 'APIキーを作成');
    await page.getByRole('dialog').getByLabel(/^名前/).fill('注文ページ');
    await page.keyboard.press('Enter');
    await look(page, '新しいAPIキー');
    await page.getByRole('button', { name: 'キーを保管しました' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row', { name: '注文ページ' })).toContainText('ボットとの会話');
    await look(page, 'クレジットと利用状況');
    await open(page, `${kotae.url}/Token?tab=models`, 'モデルのAPIキーはまだありません');
    await open(page, `${kotae.url}/Token?tab=usage`, 'クレジットと利用状況');
  });

  await test.step('operation', async () => {
    for (const [tab, heading] of [
      ['health', 'データベース'],
      ['users', 'サーバー管理'],
      ['models', 'サーバー管理'],
      ['registration', 'サーバー管理'],
      ['hosts', '内部アドレス'],
      ['audit', 'サーバー管理'],
      ['mail', 'サーバー管理'],
    ] as const)
      await open(page, `${kotae.url}/Operator?tab=${tab}`, heading);
    await test.step('on a wide screen the log breaks no name', async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, `${kotae.url}/Operator?tab=audit`, 'サーバー管理');
      const lines = await page
        .getByRole('main')
        .getByText('hanako', { exact: true })
        .first()
        .evaluate((cell) => {
          const range = cell.ownerDocument.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        });
      expect(lines).toBe(1);
      await page.setViewportSize(phone.viewport);
    });
    await open(page, `${kotae.url}/Operator?tab=users`, 'サーバー管理');
    await page.getByRole('button', { name: 'yuiさんへの操作' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'パスワード再設定リンクを作成' }).click();
    await look(page, 'yuiさんのパスワード再設定リンク');
    await page.getByRole('dialog').getByRole('button', { name: 'リンクを作成' }).click();
    await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(/\/Reset-Password\?code=/);
    await look(page, 'yuiさんのパスワード再設定リンク');
  });
});

test('every screen of the account fits a phone, in Japanese and in the dark', async ({ page, kotae }) => {
  await openTeam(page, kotae.url);

  let secret = '';
  await test.step('the account', async () => {
    await open(page, `${kotae.url}/Account`, 'プロフィール');
    await open(page, `${kotae.url}/Account?tab=data`, 'データのダウンロード');
    await page.getByRole('button', { name: 'アカウントを削除…' }).click();
    await expect(page.getByLabel(/^パスワード/).first()).toBeVisible();
    await look(page, 'アカウントの削除');
    await closeByKey(page);
    await open(page, `${kotae.url}/Account?tab=security`, '2段階認証');
    await page.getByRole('button', { name: '認証アプリを設定' }).click();
    secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replace(/\s/g, '');
    await look(page, '認証アプリを設定');
    await page.getByLabel('アプリに表示されたコード').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.keyboard.press('Enter');
    await look(page, 'バックアップコード');
    await page.getByRole('button', { name: '保管しました' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await look(page, 'ログイン中の端末');
  });

  await test.step('the code that signing in asks for', async () => {
    await page.getByRole('button', { name: 'その他' }).click();
    await page.getByRole('button', { name: 'hanakoのアカウント' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'ログアウト', exact: true }).click();
    await page.getByLabel(/^メールアドレスまたはユーザー名/).fill('hanako');
    await page
      .getByLabel(/^パスワード/)
      .first()
      .fill(password);
    await page.keyboard.press('Enter');
    await look(page, '2段階認証');
    await page.getByLabel('6桁のコード').fill('000000');
    await expect(page.getByText('コードが正しくありません')).toBeVisible();
    await page.getByRole('button', { name: 'バックアップコードを使う' }).click();
    await look(page, '2段階認証');
  });
});

test('every screen where a link ends fits a phone, in Japanese and in the dark', async ({ page, kotae }) => {
  const jwt = await register(kotae.url, 'hanako');
  await register(kotae.url, 'yui');
  const uuid = (await callApi(kotae.url, operator.users, { jwt })).data.find(
    ({ username }) => username === 'yui',
  )?.uuid;
  const reset = (await callApi(kotae.url, operator.resetPassword, { params: { uuid: uuid ?? '' }, jwt })).data;
  await open(page, `${kotae.url}/Forgot-Password`, 'パスワードをお忘れの方');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await open(page, reset.url, 'パスワードの再設定');
  await open(page, `${kotae.url}/Reset-Password`, 'このリンクは使えません');
  await open(page, `${kotae.url}/Verify-Email?code=none`, 'このリンクは使えません');
  await open(page, `${kotae.url}/Invitation?code=none`, 'この招待は使えません');
  await open(page, `${kotae.url}/Invitation`, 'この招待は使えません');
  await open(
    page,
    `${kotae.url}/api/auth/google/callback?error=access_denied&state=none`,
    /Googleで\s*ログインできませんでした/,
  );
});
