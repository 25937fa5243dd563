import { inbox } from '../../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../../shared/contracts/line-channels.ts';
import { startTestApp, type Person, type TestApp } from './app.ts';
import type { FakeLine, LineOptions } from './line/fake-line.ts';
import { startLine } from './line/start.ts';

/** A server that has LINE on this machine for LINE. */
export async function startWithLine(
  options: LineOptions = {},
  settings: Record<string, string> = {},
): Promise<{ app: TestApp; line: FakeLine }> {
  const line = await startLine({ allowHttp: true, ...options });
  const app = await startTestApp({
    ...settings,
    LINE_API_URL: line.url,
    ALLOW_PRIVATE_HOSTS: [new URL(line.url).host, settings['ALLOW_PRIVATE_HOSTS']].filter(Boolean).join(),
  });
  return { app, line };
}

/** The account of that LINE, connected, with its events on their way to us. */
export async function connectLine(person: Person, line: FakeLine, bot: string | null = null): Promise<LineChannel> {
  const { id: channelId, secret } = line.channel;
  const connected = await person.call(lineChannels.connect, { body: { channelId, secret, bot } });
  if (connected.status !== 201) throw new Error(JSON.stringify(connected.error));
  line.webhook.isActive = true;
  const { data } = (await person.call(lineChannels.sync, { params: { uuid: connected.body.data.uuid } })).body;
  return data;
}

/** What the team sees of somebody's conversation: by the name that LINE has of them. */
export async function conversationOf(person: Person, name: string) {
  const { data } = (await person.call(inbox.threads, { query: { q: name } })).body;
  const thread = data.find(({ guest }) => guest.name === name);
  if (!thread) return undefined;
  const messages = (await person.call(inbox.messages, { params: { thread: thread.uuid } })).body.data;
  return { thread, messages: messages.filter(({ internal }) => !internal), notes: messages };
}
