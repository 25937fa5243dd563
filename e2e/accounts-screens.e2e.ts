import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
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

test('every screen of accounts, team, keys and operation fits a phone, in Japanese and in the dark', async ({
  page,
  kotae,
  browser,
}) => {
  test.setTimeout(300_000);
  const other = await browser.newContext(phone);
  const guest = await other.newPage();
  const complaints = complaintsOf(guest);

  const look = async (where: Page, heading: string | RegExp) => {
    await expect(where.getByRole('heading', { name: heading }).first()).toBeVisible();
    await expectAccessible(where);
    await expectNoOverflow(where);
  };
  const open = async (where: Page, path: string, heading: string | RegExp) => {
    await where.goto(kotae.url + path);
    await look(where, heading);
  };
  const closeByKey = async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };

  await test.step('the first account', async () => {
    await open(page, '/Login', 'ログイン');
    await expect(page.getByText('まだアカウントがありません')).toBeVisible();
    await open(page, '/Register', 'アカウントの作成');
    await page.getByLabel(/^ユーザー名/).fill('hanako');
    await page.getByLabel(/^メールアドレス/).fill('hanako@example.com');
    await page
      .getByLabel(/^パスワード/)
      .first()
      .fill(password);
    await page.keyboard.press('Enter');
    await look(page, 'hanako さん、こんにちは');
  });

  let invitation = '';
  await test.step('the team', async () => {
    await open(page, '/Team?new=true', 'チーム');
    await page
      .getByRole('dialog')
      .getByLabel(/^ワークスペース名/)
      .fill('株式会社みなと商店 カスタマーサポート');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: '招待', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('combobox', { name: '役割' })).toHaveValue('スタッフ');
    await look(page, 'ワークスペースに招待');
    await dialog.getByRole('textbox', { name: /^メールアドレス/ }).fill('yui@example.com');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('リンクを直接お渡しください')).toBeVisible();
    await look(page, 'ワークスペースに招待');
    const link = new URL(await dialog.getByRole('textbox', { name: '招待リンク' }).inputValue());
    invitation = link.pathname + link.search;
    await dialog.getByRole('button', { name: '完了' }).click();
    await look(page, '譲渡と削除');
    for (const [button, title] of [
      ['譲渡…', 'ワークスペースを譲渡'],
      ['削除…', 'ワークスペースを削除'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await look(page, title);
      await closeByKey();
    }
    await page.getByRole('button', { name: '役割ごとにできること' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'メニュー', exact: true }).click();
    await page.getByRole('button', { name: /^ワークスペース：/ }).click();
    await expect(page.getByRole('menuitem', { name: 'ワークスペースを作成' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the person invited sees to what and by whom, also while signing in', async () => {
    await open(guest, invitation, '「株式会社みなと商店 カスタマーサポート」に参加');
    await expect(guest.getByText('hanako さんからの招待です')).toBeVisible();
    await guest.getByRole('link', { name: 'ログイン' }).click();
    await expect(
      guest.getByText('hanako さんから、ワークスペース「株式会社みなと商店 カスタマーサポート」に招待されています。'),
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
    await look(guest, 'yui さん、こんにちは');
  });

  await test.step('staff are told what is not theirs', async () => {
    await open(guest, '/Team', 'ワークスペース');
    await open(guest, '/Token', '利用状況');
    await open(guest, '/Operator', 'サーバー管理者専用のページです');
    await guest.getByRole('button', { name: 'メニュー', exact: true }).click();
    await expect(guest.getByRole('link', { name: 'チーム' })).toBeVisible();
    await expect(guest.getByRole('link', { name: 'API キー' })).toHaveCount(0);
  });

  await test.step('the member who came, and the dialog to remove them', async () => {
    await open(page, '/Team', 'メンバー');
    await page.getByRole('button', { name: 'yui さんをメンバーから外す' }).click();
    await look(page, 'yui さんをメンバーから外しますか？');
    await closeByKey();
  });

  await test.step('keys', async () => {
    await open(page, '/Token', 'API キーはまだありません');
    await page.getByRole('button', { name: 'API キーを作成' }).click();
    await look(page, 'API キーを作成');
    await page.getByRole('dialog').getByLabel(/^名前/).fill('注文ページ');
    await page.keyboard.press('Enter');
    await look(page, '新しい API キー');
    await page.getByRole('button', { name: 'キーを保管しました' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('listitem', { name: '注文ページ' })).toBeVisible();
    await look(page, 'キーと利用状況');
    await open(page, '/Token?tab=models', 'モデルのキーはまだありません');
    await open(page, '/Token?tab=usage', 'キーと利用状況');
  });

  let reset = '';
  await test.step('operation', async () => {
    for (const [tab, heading] of [
      ['health', 'データベース'],
      ['users', 'サーバー管理'],
      ['models', 'サーバー管理'],
      ['registration', 'サーバー管理'],
      ['audit', 'サーバー管理'],
      ['mail', 'サーバー管理'],
    ] as const)
      await open(page, `/Operator?tab=${tab}`, heading);
    await open(page, '/Operator?tab=users', 'サーバー管理');
    await page.getByRole('button', { name: 'yui さんへの操作' }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'パスワード再設定リンクを作成' }).click();
    await look(page, 'yui さんのパスワード再設定リンク');
    await page.getByRole('dialog').getByRole('button', { name: 'リンクを作成' }).click();
    const link = new URL(await page.getByRole('dialog').getByRole('textbox').inputValue());
    reset = link.pathname + link.search;
    await look(page, 'yui さんのパスワード再設定リンク');
  });

  let secret = '';
  await test.step('the account', async () => {
    await open(page, '/Account', 'プロフィール');
    await open(page, '/Account?tab=data', 'データのダウンロード');
    await page.getByRole('button', { name: 'アカウントを削除…' }).click();
    await expect(page.getByLabel(/^パスワード/).first()).toBeVisible();
    await look(page, 'アカウントの削除');
    await closeByKey();
    await open(page, '/Account?tab=security', '2 段階認証');
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
    await page.getByRole('button', { name: 'hanako のアカウント' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'ログアウト', exact: true }).click();
    await page.getByLabel(/^メールアドレスまたはユーザー名/).fill('hanako');
    await page
      .getByLabel(/^パスワード/)
      .first()
      .fill(password);
    await page.keyboard.press('Enter');
    await look(page, '2 段階認証');
    await page.getByLabel('6 桁のコード').fill('000000');
    await expect(page.getByText('コードが正しくありません')).toBeVisible();
    await page.getByRole('button', { name: 'バックアップコードを使う' }).click();
    await look(page, '2 段階認証');
  });

  await test.step('where links end', async () => {
    await open(page, '/Forgot-Password', 'パスワードをお忘れの方');
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await open(page, reset, 'パスワードの再設定');
    await open(page, '/Reset-Password', 'このリンクは使えません');
    await open(page, '/Verify-Email?code=none', 'このリンクは使えません');
    await open(page, '/Invitation?code=none', 'この招待は使えません');
    await open(
      page,
      '/api/auth/google/callback?error=access_denied&state=none',
      /Google で\s*ログインできませんでした/,
    );
  });

  expect(complaints).toEqual([]);
  await other.close();
});
