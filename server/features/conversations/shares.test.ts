import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterAll(() => app.stop());

/** A member of somebody's workspace who has shared a conversation with its bot. */
async function aShare() {
  const [owner, member] = [await app.aPerson(), await app.aPerson()];
  const workspace = owner.user.workspaces[0]?.uuid ?? '';
  const headers = { 'x-workspace': workspace };
  const invite = async () => {
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'editor' } })).body.data;
    const code = new URL(url).searchParams.get('code') ?? '';
    expect((await member.call(workspaces.acceptInvitation, { body: { code } })).status).toBe(200);
  };
  await invite();
  const bot = (await owner.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
  const sent = await member.call(conversations.send, { headers, body: { bot, message: { text: 'Hello' } } });
  const thread = sent.body.data.thread.uuid;
  const { url } = (await member.call(conversations.share, { headers, params: { thread } })).body.data;
  const token = new URL(url).pathname.split('/').at(-1) ?? '';
  const open = async () => (await app.anyone.call(conversations.shared, { params: { token } })).status;
  expect(await open()).toBe(200);
  return { owner, member, headers, bot, open, invite };
}

describe('a link to a conversation', () => {
  test('opens nothing while its bot is in the trash', async () => {
    const { owner, bot, open } = await aShare();
    await owner.call(bots.remove, { params: { uuid: bot } });
    expect(await open()).toBe(404);
    await owner.call(bots.restore, { params: { uuid: bot } });
    expect(await open()).toBe(200);
  });

  test.each<[string, (share: Awaited<ReturnType<typeof aShare>>) => Promise<unknown>]>([
    ['leaves', ({ member, headers }) => member.call(workspaces.leave, { headers })],
    ['is removed', ({ owner, member }) => owner.call(workspaces.removeMember, { params: { uuid: member.user.uuid } })],
  ])('ends when whoever shared it %s, and stays so when they come back', async (_, part) => {
    const share = await aShare();
    expect(await part(share)).toMatchObject({ status: 200 });
    expect(await share.open()).toBe(404);
    await share.invite();
    expect(await share.open()).toBe(404);
  });

  test('opens nothing while whoever shared it is suspended', async () => {
    const { member, open } = await aShare();
    await boss.call(operator.suspend, { params: { uuid: member.user.uuid } });
    expect(await open()).toBe(404);
    await boss.call(operator.restore, { params: { uuid: member.user.uuid } });
    expect(await open()).toBe(200);
  });

  test('ends with the account of whoever shared it', async () => {
    const { member, open } = await aShare();
    await member.call(accounts.remove, { body: { password: 'correct horse battery' } });
    expect(await open()).toBe(404);
  });
});
