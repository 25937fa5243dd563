import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What a website answers at a path: a page, or whatever it does with the request. */
export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface SampleSite {
  url: string;
  /** For `ALLOW_PRIVATE_HOSTS`. */
  host: string;
  /** What may be changed while it runs: the answers by their paths. */
  pages: Map<string, Answer>;
  /** What was asked for, in order. */
  asked: { path: string; at: number; headers: IncomingMessage['headers'] }[];
  /** How many requests were being answered at most at one time. */
  busiest(): number;
  close(): Promise<void>;
}

/** A page in the frame that all pages of the shop have. */
export const shopPage = (title: string, main: string, head = ''): string => `<!doctype html><html lang="en"><head>
<title>${title}</title>${head}</head><body>
<header><p>Free delivery from 5,000 yen</p><nav><a href="/">Home</a></nav></header>
<main><h1>${title}</h1>${main}</main>
<footer><p>Call us: 03-1234-5678. Open from nine until six.</p><p>This site uses cookies.</p></footer></body></html>`;

/** A website on this machine, with an etag for each page. */
export async function startSampleSite(pages: Record<string, Answer>): Promise<SampleSite> {
  const answers = new Map(Object.entries(pages));
  const asked: SampleSite['asked'] = [];
  let busy = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push({ path, at: Date.now(), headers: request.headers });
    most = Math.max(most, ++busy);
    response.once('close', () => busy--);
    const answer = answers.get(path);
    if (typeof answer === 'function') return answer(request, response);
    if (answer === undefined) return void response.writeHead(404).end('gone');
    const etag = `"${Buffer.from(answer).length}-${answer.slice(-200).length}-${hash(answer)}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    const type = path.endsWith('.xml')
      ? 'application/xml'
      : path.endsWith('.txt')
        ? 'text/plain'
        : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, etag }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A border: a server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    pages: answers,
    asked,
    busiest: () => most,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hash(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}
