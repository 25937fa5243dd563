import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { home } from '../../../shared/contracts/home.ts';
import { inbox, inboxNews, mentioned } from '../../../shared/contracts/inbox.ts';
import { attend, notices } from '../../../shared/contracts/notices.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { EventData } from '../../../shared/event.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor, connect } from '../../testing/channels.ts';
import { startPushService, type PushService } from '../../testing/push.ts';

let app: TestApp;
let service: PushService;
const open: Socket[] = [];
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: service.host });
});
afterAll(async () => {
  await app.stop();
  await service.close();
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

async function aTeam() {
  const owner = await app.aPerson();
  const workspace = owner.user.workspaces[0]!.uuid;
  const join = async (role: 'staff' | 'viewer'): Promise<Person> => {
    const { url } = (await owner.call(workspaces.invite, { body: { role, days: 1 } })).body.data;
    const person = await app.aPerson();
    await person.call(workspaces.acceptInvitation, {
      body: { code: new URL(url ?? '').searchParams.get('code') ?? '' },
    });
    return person;
  };
  const [staff, viewer] = [await join('staff'), await join('viewer')];
  const visitor = await aVisitor(app, (await aChannel(owner, null)).uuid);
  await visitor.write('Where are my beans?');
  const [{ uuid: thread } = { uuid: '' }] = (await owner.call(inbox.threads, { query: {} })).body.data;
  const note = async (text: string, key: string = randomUUID()) =>
    (await owner.call(inbox.note, { params: { thread }, body: { key, text } })).body.data;
  const headers = { 'x-workspace': workspace };
  /** What waits for a member, on the home page and in the menu. */
  const waiting = async (person: Person) => ({
    home: (await person.call(home.get, { headers })).body.data.inbox?.mentions,
    menu: (await person.call(inboxNews.counts, { headers })).body.data?.mentions,
  });
  return { owner, staff, viewer, workspace, thread, note, waiting };
}

async function listen(person: Person) {
  const socket = await connect(app.url, person.jwt);
  open.push(socket);
  const heard: EventData<typeof mentioned>[] = [];
  socket.on(mentioned.name, (data) => heard.push(mentioned.data.parse(data)));
  return { socket, heard };
}

test('whom a note names is told at once, and has it on the home page until they look', async () => {
  const { owner, staff, viewer, workspace, thread, note, waiting } = await aTeam();
  const [ofStaff, ofOwner] = [await listen(staff), await listen(owner)];
  const text = `@${staff.user.username} @${owner.user.username} @${viewer.user.username} @nobody please call them`;
  const key = randomUUID();
  const written = await note(text, key);
  // Only who may read notes is named by one.
  expect(written.mentions.map(({ uuid }) => uuid).toSorted()).toEqual([owner.user.uuid, staff.user.uuid].toSorted());
  const [told] = await eventually('they are told', async () => ofStaff.heard.length > 0 && ofStaff.heard);
  expect(told).toMatchObject({ workspace, thread, message: written.uuid, text, by: { uuid: owner.user.uuid } });
  expect(await waiting(staff)).toEqual({
    home: [{ thread, by: owner.user.username, text }],
    menu: [thread],
  });
  // Sent again it is one note, and whoever names themselves knows.
  await note(text, key);
  await note('And another thing');
  expect(await waiting(owner)).toEqual({ home: [], menu: [] });
  expect([ofStaff.heard.length, ofOwner.heard.length]).toEqual([1, 0]);
  await ofStaff.socket.emitWithAck(attend.name, { thread, isActive: true });
  expect(await waiting(staff)).toEqual({ home: [], menu: [] });
  // Who looks at it sees the next one themselves.
  await note(`@${staff.user.username} thank you`);
  await eventually('it is seen', async () => (await waiting(staff)).menu?.length === 0);
  await ofStaff.socket.emitWithAck(attend.name, { thread, isActive: false });
  expect([ofStaff.heard.length, await waiting(staff)]).toEqual([1, { home: [], menu: [] }]);
});

test('a mention is only of who is in the team now, and ends when they leave', async () => {
  const { owner, staff, thread, note } = await aTeam();
  const stranger = await app.aPerson();
  expect((await note(`@${stranger.user.username} hello`)).mentions).toEqual([]);
  await note(`@${staff.user.username} hello`);
  const rows = () => app.server.context.db.selectFrom('mention').selectAll().where('thread', '=', thread).execute();
  expect(await rows()).toHaveLength(1);
  await owner.call(workspaces.removeMember, { params: { uuid: staff.user.uuid } });
  expect(await rows()).toEqual([]);
});

test('a mention reaches the browser of whom it names, in their language, and nobody else’s', async () => {
  const { owner, staff, thread, note } = await aTeam();
  await owner.call(inbox.take, { params: { thread } });
  await owner.call(inbox.see, { params: { thread } });
  await staff.call(accounts.update, { body: { locale: 'ja' } });
  const [ofStaff, ofOwner] = [service.aBrowser(), service.aBrowser()];
  await staff.call(notices.subscribe, { body: ofStaff.target });
  await owner.call(notices.subscribe, { body: ofOwner.target });
  await note(`@${staff.user.username} please look`);
  const [pushed] = await eventually('it is told', async () => ofStaff.got().length > 0 && ofStaff.got());
  expect(ofStaff.open(pushed!)).toMatchObject({
    title: `${owner.user.username}さんからメンション`,
    body: `@${staff.user.username} please look`,
    lang: 'ja',
    url: `/Friend?thread=${thread}`,
  });
  expect(ofOwner.got()).toEqual([]);
});
