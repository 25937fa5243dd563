import type { Page } from '@playwright/test';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import type { FakeLine, LineUser } from '../server/testing/line/fake-line.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { expect, expectAccessible, expectNoOverflow } from './server.ts';

/** The account, connected, and those who have added it. */
async function withFriends(
  { url, line, jwt }: { url: string; line: FakeLine; jwt: string },
  names: string[],
): Promise<{ channel: string; friends: LineUser[] }> {
  const { id: channelId, secret } = line.channel;
  const { uuid: channel } = (await callApi(url, lineChannels.connect, { body: { channelId, secret }, jwt })).data;
  line.webhook.isActive = true;
  await callApi(url, lineChannels.sync, { params: { uuid: channel }, jwt });
  const friends: LineUser[] = [];
  for (const name of names) {
    const friend = line.user({ name, isFriend: false });
    await friend.follow();
    friends.push(friend);
  }
  return { channel, friends };
}

const texts = (line: FakeLine, { id }: LineUser) => line.shown(id).map(({ message }) => message.text);
const write = (page: Page, text: string) => page.getByRole('textbox', { name: 'Bubble 1' }).fill(text);

test('a broadcast is tried on one friend, taken back, and sent to all', async ({ page, kotae, line }) => {
  const jwt = await arrive(page, kotae.url);
  const { channel, friends } = await withFriends({ url: kotae.url, line, jwt }, ['Sora', 'Mei', 'Ren']);
  await page.goto(`${kotae.url}/Line-Channel/${channel}`);
  await page.getByRole('tab', { name: 'Broadcasts' }).click();
  await expect(page.getByRole('heading', { name: 'No broadcasts yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Text', exact: true })).toBeFocused();
  await expectAccessible(page);
  // Left as it was and begun once more, it is still one.
  const begun = page.url();
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await expect(page).toHaveURL(begun);

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring beans');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Spring beans' })).toBeVisible();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await write(page, 'Hello {{name}}, the spring beans are here: https://example.com/beans');
  await expect(page.getByRole('complementary', { name: 'How it looks' })).toContainText('the spring beans are here');
  await expect(page.getByText('3 friends now')).toBeVisible();
  await page.getByText('Link clicks').click();
  await page.getByRole('button', { name: 'Count together', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByText('0 of 200 used, 3 after this')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Send a test to' }).click();
  await page.getByRole('option', { name: 'Sora' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('Test sent')).toBeVisible();
  expect(texts(line, friends[0]!)).toEqual(['Hello Sora, the spring beans are here: https://example.com/beans']);

  const send = async () => {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to 3 friends?' });
    await expect(dialog).toContainText('It uses 3 messages of this month.');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await send();
  await expect(page.getByText(/^Begins in \d+ seconds?$/)).toBeVisible();
  await page.getByRole('button', { name: 'Unschedule' }).click();
  await expect(page.getByText('Unscheduled: it is a draft again')).toBeVisible();
  await send();
  await expect(page.getByText(/^Begins in \d+ seconds?$/)).toBeVisible();
  await expect(page.getByText('Sent', { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(page.getByText('available once 20 people have received it')).toBeVisible({ timeout: 30_000 });
  for (const friend of friends) expect(texts(line, friend).at(-1)).toContain(`Hello ${friend.name}, the spring`);
  const link = /http\S+\/l\/\w{12}/.exec(String(texts(line, friends[1]!).at(-1)))?.[0] ?? '';
  const tapped = await fetch(link, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 Line/15' } });
  expect(tapped.headers.get('location')).toBe('https://example.com/beans');
  await page.reload();
  await expect(page.getByRole('cell', { name: 'example.com/beans' })).toBeVisible();
  // Where all have got it, the rows show no state.
  await expect(page.getByRole('row', { name: /^S?\s*Sora/ })).toBeVisible();
  await expectAccessible(page);

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await expect(page.getByRole('link', { name: /^Spring beans/ })).toBeVisible();
  await expectNoOverflow(page);
  line.mustBeValid();
});

test('step messages are drawn up, switched on, and greet a new friend', async ({ page, kotae, line }) => {
  const jwt = await arrive(page, kotae.url);
  const { channel, friends } = await withFriends({ url: kotae.url, line, jwt }, ['Mei']);
  await page.goto(`${kotae.url}/Line-Channel/${channel}?tab=steps`);
  await expect(page.getByRole('button', { name: 'After a trial' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'After a trial' }).click();
  await expect(page.getByRole('heading', { name: 'After 2 hours' })).toBeVisible();
  await expect(page.getByText('To fill in')).toBeVisible();
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await page.getByRole('switch', { name: 'Switch “After a trial” on or off' }).press('Space');
  await expect(page.getByText('“After a trial” is not ready yet', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'New series' }).click();
  await expect(page.getByRole('button', { name: 'Come again' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a step' }).click();
  await write(page, 'Welcome, {{name}}');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await expect(page.getByRole('heading', { name: 'Day 3, 09:00' })).toBeVisible();
  await page.getByRole('group', { name: 'Message of step 2' }).getByRole('textbox').fill('How do you like the beans?');
  await expect(page.getByRole('complementary', { name: 'How step 2 looks' })).toContainText('the beans?');
  await page.getByRole('switch', { name: 'Send this series' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  await expectAccessible(page);
  const tester = friends[0]!;
  await page.getByRole('button', { name: 'Test the series' }).click();
  await page.getByRole('combobox', { name: 'Send a test to' }).click();
  await page.getByRole('option', { name: 'Mei' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => texts(line, tester)).toEqual(['Welcome, Mei', 'How do you like the beans?']);

  const friend = line.user({ name: 'Sora', isFriend: false });
  await friend.follow();
  await expect.poll(() => texts(line, friend), { timeout: 40_000 }).toEqual(['Welcome, Sora']);
  await page.getByRole('tab', { name: 'People' }).click();
  const person = page.getByRole('row', { name: /Sora/ });
  await expect(person).toContainText('In progress', { timeout: 40_000 });

  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Steps' }).click();
  await page.getByRole('button', { name: 'Day 3, 09:00' }).click();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await expect(page.getByRole('link', { name: /^Welcome/ })).toBeVisible();
  line.mustBeValid();
});

test('a broadcast reaches friends whom nobody knows here, and stands beside whom it was sent to', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  const { channel, friends } = await withFriends({ url: kotae.url, line, jwt }, ['Sora']);
  const strangers = line.friends(120);
  const yesterday = new Date(Date.now() - 15 * 3_600_000).toISOString().slice(0, 10);
  const figures = { status: 'ready', followers: 130, targetedReaches: 60, blocks: 9 };
  line.insight.followers.set(yesterday.replaceAll('-', ''), figures);
  await page.goto(`${kotae.url}/Line-Channel/${channel}?tab=broadcasts`);
  const reach = page.getByRole('region', { name: 'Friends at LINE' });
  await expect(reach).toContainText('Kotae knows 1 of about 121 LINE friends.');
  await reach.getByRole('button', { name: 'Import friends' }).click();
  await expect(reach).toContainText('LINE gives the list of friends to verified accounts only.');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New broadcast' }).click();
  await expect(page.getByRole('combobox', { name: 'Who gets it' })).toHaveValue('Everyone (via LINE)');
  await expect(page.getByText('Up to 121 friends')).toBeVisible();
  await page.getByText('Link clicks').click();
  await expect(page.getByRole('button', { name: 'Count together' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Count per person' })).toBeHidden();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Holidays');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await write(page, 'Hello {{name}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Bubble 1 has a name in it.')).toBeVisible();
  await write(page, 'We are closed from 30 December');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Bubble 1 has a name in it.')).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'Preview and test' }).click();
  await expect(page.getByRole('complementary', { name: 'How it looks' })).toContainText('We are closed');
  await expect(page.getByRole('combobox', { name: 'Who gets it' })).toBeHidden();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to everyone via LINE?' });
  await expect(dialog).toContainText('It uses up to 121 messages of this month.');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('LINE counts a day later', { exact: false })).toBeVisible({ timeout: 30_000 });
  for (const friend of [...friends, ...strangers])
    expect(texts(line, friend)).toEqual(['We are closed from 30 December']);

  await friends[0]!.say('Are you open on the third?');
  await page.goto(`${kotae.url}/Friend`);
  await page.getByRole('link', { name: /Sora/ }).first().click();
  const person = page.getByRole('complementary', { name: 'Person' });
  await expect(person.getByRole('heading', { name: /^Sent to them/ })).toBeVisible();
  await expectAccessible(page);
  await person.getByRole('link', { name: /Holidays/ }).click();
  await expect(page.getByRole('heading', { name: 'Holidays' })).toBeVisible();
  line.mustBeValid();
});
