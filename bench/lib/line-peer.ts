/** Plays LINE's servers where what counts is speed: takes every call, and tells on its standard output how many messages it got. */
import { createServer } from 'node:http';

const port = Number(process.argv[2]);
const profile = (id: string) => ({ userId: id, displayName: id.slice(0, 12), language: 'ja' });
let count = 0;

createServer((request, reply) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { pathname } = new URL(request.url ?? '/', 'http://line');
    const answer = (body: object) =>
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/oauth2/v3/token')
      return answer({ access_token: 'token', expires_in: 900, token_type: 'Bearer' });
    if (pathname === '/v2/bot/info')
      return answer({
        userId: `U${'0'.repeat(32)}`,
        basicId: '@bench',
        displayName: 'Bench',
        chatMode: 'bot',
        markAsReadMode: 'auto',
      });
    if (pathname.startsWith('/v2/bot/profile/')) return answer(profile(pathname.split('/').at(-1) ?? ''));
    if (pathname === '/v2/bot/message/quota') return answer({ type: 'none' });
    if (pathname === '/v2/bot/message/quota/consumption') return answer({ totalUsage: 0 });
    if (pathname === '/bench/count') return answer({ count });
    if (pathname === '/v2/bot/message/reply' || pathname === '/v2/bot/message/push') {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: object[] };
      count += messages.length;
      return answer({ sentMessages: messages.map((_, at) => ({ id: `${count}${at}` })) });
    }
    return answer({});
  });
}).listen(port, '127.0.0.1');
