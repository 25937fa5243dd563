import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** The body of the next request. */
  body(): string;
}

export interface Load {
  perSecond: number;
  /** Milliseconds to the first token, of the streams whose first token came within the measurement. */
  first50: number;
  first95: number;
  errors: number;
  /** Streams that ended without their last word. */
  cut: number;
  /** Milliseconds of the server's processor for each stream. */
  cpuMs: number;
}

interface Options {
  connections: number;
  seconds: number;
  warmSeconds?: number;
  /** Ends after so many, however long it takes. */
  requests?: number;
  /** How often one connection asks. */
  times?: number;
  /** The process whose processor time is told. */
  server?: number | undefined;
}

/** Closed loop: so many connections, each asking again as soon as it has its answer. Reads raw bytes: a client that parsed would be what is measured. */
export async function loadStreams(
  target: Target,
  {
    connections,
    seconds,
    warmSeconds = connections >= 100 ? 4 : 2,
    requests = Infinity,
    times = Infinity,
    server,
  }: Options,
): Promise<Load> {
  const first: number[] = [];
  let isMeasuring = false;
  const over = new AbortController();
  let done = 0;
  let errors = 0;
  let cut = 0;
  const work = async (delayMs: number) => {
    await sleep(delayMs);
    let connection = await open(target.port);
    for (let time = 0; time < times && !over.signal.aborted; time++) {
      const result = await ask(connection, target, (ms) => isMeasuring && first.push(ms)).catch(() => undefined);
      if (!result || result.status !== 200) {
        if (isMeasuring) errors++;
        connection.destroy();
        await sleep(50);
        connection = await open(target.port);
        continue;
      }
      if (!isMeasuring) continue;
      done++;
      if (!result.isWhole) cut++;
      if (done >= requests) over.abort();
    }
    connection.destroy();
  };
  const all = Array.from({ length: connections }, (_, at) => work((at * 500) / connections));
  await sleep(warmSeconds * 1000);
  const began = performance.now();
  const cpuBefore = cpuMsOf(server);
  isMeasuring = true;
  await Promise.race([sleep(seconds * 1000, undefined, { signal: over.signal }).catch(() => {}), Promise.all(all)]);
  const took = (performance.now() - began) / 1000;
  isMeasuring = false;
  over.abort();
  const counted = done;
  const cpuMs = (cpuMsOf(server) - cpuBefore) / counted;
  await Promise.all(all);
  const [first50, first95] = [percentile(first, 0.5), percentile(first, 0.95)];
  return { perSecond: counted / took, first50, first95, errors, cut, cpuMs };
}

const tickMs = 10;

/** What a process has used of the processor until now (Linux: proc(5), utime and stime). */
function cpuMsOf(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

const open = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket)).once('error', reject);
  });

/** One request over a connection that stays; the body is read as bytes until its end, chunked or counted. */
function ask(
  socket: Socket,
  target: Target,
  onFirst: (ms: number) => void,
): Promise<{ status: number; isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const body = target.body();
    const began = performance.now();
    let seen = '';
    let status = 0;
    let hasBegun = false;
    let length: number | undefined;
    let headEnd = -1;
    let total = 0;
    let isWhole = false;
    const finish = (error?: Error) => {
      socket.off('data', read).off('error', fail).off('close', fail);
      if (error) reject(error);
      else resolve({ status, isWhole });
    };
    const fail = () => finish(new Error('cut'));
    const read = (data: Buffer) => {
      const text = data.toString('latin1');
      seen = headEnd < 0 ? seen + text : seen.slice(-16) + text;
      if (headEnd < 0) {
        headEnd = seen.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        status = Number(seen.slice(9, 12));
        const counted = /content-length: (\d+)/i.exec(seen.slice(0, headEnd))?.[1];
        length = counted === undefined ? undefined : Number(counted);
        seen = seen.slice(headEnd + 4);
        total = seen.length;
      } else total += text.length;
      if (!hasBegun && seen.includes('tok')) {
        hasBegun = true;
        onFirst(performance.now() - began);
      }
      isWhole ||= seen.includes('[[END]]');
      if (length === undefined ? seen.endsWith('0\r\n\r\n') : total >= length) finish();
    };
    socket.on('data', read).once('error', fail).once('close', fail);
    const head = Object.entries({
      ...target.headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${target.path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function percentile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}
