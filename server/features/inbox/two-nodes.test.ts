import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageSent } from '../../../shared/contracts/conversations.ts';
import { inbox, inboxMessage, presence, typeInInbox, watchInbox } from '../../../shared/contracts/inbox.ts';
import { visitorMessage, visitorTyping, visitors } from '../../../shared/contracts/visitors.ts';
import { usualEmbed } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor, connect } from '../../testing/channels.ts';
import { startRedis } from '../../testing/redis.ts';
import { readConfig } from '../../infra/config.ts';
import { createLog } from '../../infra/log.ts';
import { startServer, type Server } from '../../server.ts';

/** Two servers of one installation: the visitor is at the first, the team at the second. */
const isPostgres = process.env['TEST_ENGINE'] === 'postgres';

let redis: Awaited<ReturnType<typeof startRedis>>;
let app: TestApp;
let second: Server;
let staff: Person;
const open: Socket[] = [];
beforeAll(async () => {
  if (!isPostgres) return;
  redis = await startRedis();
  app = await startTestApp({ REDIS_URL: redis.url });
  second = await startServer(readConfig(app.settings, {}), createLog('silent'), ['web']);
  staff = await app.aPerson();
});
afterAll(async () => {
  for (const socket of open) socket.close();
  await second?.stop();
  await app?.stop();
  await redis?.close();
});

async function live(url: string | undefined, token: string): Promise<Socket> {
  const socket = await connect(url ?? '', token);
  open.push(socket);
  return socket;
}

test.runIf(isPostgres)(
  'a visitor at one server and the team at another hear each other, in order and once',
  async () => {
    const { limits } = usualEmbed;
    const { uuid: channel } = await aChannel(staff, null, { limits: { ...limits, visitorPerMinute: 60 } });
    const visitor = await aVisitor(app, channel);
    const team = await live(second.address, staff.jwt);
    const heard: { text: string; seq: number }[] = [];
    team.on(messageSent.name, (data) => {
      const { message } = messageSent.data.parse(data);
      heard.push({ text: message.message, seq: message.seq });
    });
    const said = Array.from({ length: 20 }, (_, at) => `message ${at}`);
    for (const text of said) await visitor.write(text);
    await eventually('all of it is heard', async () => heard.length >= said.length);
    expect(heard.map(({ text }) => text)).toEqual(said);
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map(({ seq }) => seq).toSorted((a, b) => a - b));

    const thread = (await visitor.page()).thread!.uuid;
    const page = await live(app.url, visitor.token);
    const told: string[] = [];
    const typing: boolean[] = [];
    page.on(visitorMessage.name, (data) => told.push(visitorMessage.data.parse(data).message.text));
    page.on(visitorTyping.name, (data) => typing.push(visitorTyping.data.parse(data).isTyping));
    const present: boolean[] = [];
    team.on(presence.name, (data) => present.push(presence.data.parse(data).visitor.isOnline));
    await team.timeout(5_000).emitWithAck(watchInbox.name, { thread, since: 0 });
    await eventually('the visitor is seen to be there', async () => present.includes(true));
    await team.timeout(5_000).emitWithAck(typeInInbox.name, { thread, isTyping: true });
    await eventually('the visitor sees it', async () => typing.includes(true));
    const answers = Array.from({ length: 10 }, (_, at) => `answer ${at}`);
    for (const text of answers) {
      const response = await fetch(`${second.address}/api/inbox/thread/${thread}/reply`, {
        method: 'POST',
        headers: { authorization: `Bearer ${staff.jwt}`, 'content-type': 'application/json' },
        body: JSON.stringify({ key: randomUUID(), text }),
      });
      expect(response.status).toBe(201);
    }
    await eventually('all of it has come', async () => told.length >= answers.length);
    expect(told).toEqual(answers);
  },
  60_000,
);

test.runIf(isPostgres)(
  'while Redis is gone everything is kept, and is there when one looks again',
  async () => {
    const visitor = await aVisitor(app, (await aChannel(staff, null)).uuid);
    await visitor.write('before');
    const thread = (await visitor.page()).thread!.uuid;
    const team = await live(second.address, staff.jwt);
    const watched = watchInbox.reply.parse(
      (await team.timeout(5_000).emitWithAck(watchInbox.name, { thread, since: 0 })).data,
    );
    const last = watched.messages.at(-1)?.seq ?? 0;
    const seen: string[] = [];
    team.on(inboxMessage.name, (data) => seen.push(inboxMessage.data.parse(data).message.text));
    await redis.stop();
    await visitor.write('meanwhile');
    await redis.start();
    await sleep(1_000);
    await visitor.write('after');
    // What the connection missed is fetched by its number.
    const missed = await eventually('both are found', async () => {
      const { data } = await team.timeout(5_000).emitWithAck(watchInbox.name, { thread, since: last });
      const { messages } = watchInbox.reply.parse(data);
      return messages.length === 2 ? messages : undefined;
    });
    expect(missed.map(({ text }) => text)).toEqual(['meanwhile', 'after']);
    await eventually('what comes after is told', async () => seen.includes('after'));
    expect(new Set(seen).size).toBe(seen.length);
    const asked = await visitor.call(visitors.messages, { query: { after: last } });
    expect(asked.body.data.messages.map(({ text }) => text)).toEqual(['meanwhile', 'after']);
    const rows = (await staff.call(inbox.messages, { params: { thread } })).body.data;
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1));
  },
  60_000,
);
