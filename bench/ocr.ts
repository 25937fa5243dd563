/**
 * Reads rendered pages of print at 200 dots per inch, aslant and with noise, and counts wrong characters, seconds of one core and how sure the reader is;
 * then times answers of a server on one core with and without a scan that it reads meanwhile. Needs the fonts Noto CJK and DejaVu.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import sharp from 'sharp';
import { everySetting } from '../server/features.ts';
import { layOut } from '../server/providers/parsers/layout.ts';
import { createPictureReader } from '../server/providers/parsers/ocr.ts';
import { freePort, nodeOn, startServing } from './lib/processes.ts';
import { loadStreams } from './lib/stream-load.ts';

/** Wrong characters, by language; seconds of one core for a page; answers while a scan is read, of those without. */
const bars = { wrong: { en: 0.03, ja: 0.08 }, seconds: 10, answers: 0.9 };
const [wide, high] = [1654, 2339];

const texts = {
  ja: [
    '夏季の営業時間と受付の変更について',
    'いつも当館をご利用いただき、誠にありがとうございます。来月から営業時間が変わりますので、',
    'ご案内いたします。平日の受付は午前九時から午後六時まで、土曜日は午前十時から午後三時まで',
    'となります。日曜日と祝日はお休みです。宿泊料金は一泊二食付きで大人お一人様12,800円、',
    '小学生は8,600円、幼児は3,200円です。駐車場は無料ですが、台数に限りがありますので、',
    '事前にご予約ください。キャンセル料は前日が50%、当日が100%です。お問い合わせは電話',
    '03-1234-5678、またはメールinfo@example.jpまでお願いします。',
  ],
  en: [
    'Summer opening hours and changes to the booking desk',
    'Thank you for staying with us. From next month the opening hours of the front desk',
    'will change as follows. On weekdays the desk is open from 9 am until 6 pm, and on',
    'Saturdays from 10 am until 3 pm. We are closed on Sundays and on public holidays.',
    'A room with breakfast and dinner costs $1,280 for adults, $860 for schoolchildren and',
    '$320 for infants. Parking is free, but space is limited, so please book in advance.',
    'The cancellation fee is 50% on the day before and 100% on the day of arrival.',
  ],
};
const columns =
  '夏季休業のお知らせと受付時間の変更について。いつも当館をご利用いただき、誠にありがとうございます。平日の受付は午前九時から午後六時まで、土曜日は午前十時から午後三時までとなります。日曜日と祝日はお休みです。';

const pages = [
  { name: 'Japanese, gothic', language: 'ja', font: 'Noto Sans CJK JP', slope: 0.5 },
  { name: 'Japanese, mincho', language: 'ja', font: 'Noto Serif CJK JP', slope: -1.5 },
  { name: 'Japanese, in columns', language: 'ja', font: 'Noto Serif CJK JP', slope: 0.8, isVertical: true },
  { name: 'English, sans', language: 'en', font: 'DejaVu Sans', slope: 1.5 },
  { name: 'English, serif', language: 'en', font: 'DejaVu Serif', slope: -0.8 },
] as const;

const missed: string[] = [];
const reader = await createPictureReader();
for (const page of pages) {
  const { picture, text } = await draw(page);
  const { data, info } = await sharp(picture).greyscale().extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  const began = process.cpuUsage();
  const read = await reader.read({ pixels: data, width: info.width, height: info.height, perPoint: 200 / 72 });
  const { user, system } = process.cpuUsage(began);
  const seconds = (user + system) / 1e6;
  const own = layOut([read], null)
    .blocks.map((block) => block.text)
    .join('');
  const wrong = shareOfWrong(own, text);
  console.log(
    `${page.name}: ${(wrong * 100).toFixed(2)} % wrong of ${text.length} characters, ${seconds.toFixed(1)} s of a core, ${read.confidence.toFixed(0)} % sure`,
  );
  if (wrong > bars.wrong[page.language]) missed.push(`${page.name}: ${(wrong * 100).toFixed(1)} % wrong`);
  if (seconds > bars.seconds) missed.push(`${page.name}: ${seconds.toFixed(1)} s`);
}
await timeAnswers();
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exitCode = 1;
}

async function draw({ language, font, slope, ...page }: (typeof pages)[number]) {
  const size = language === 'ja' ? 29 : 26;
  const lines: string[] = [];
  let marks = '';
  if ('isVertical' in page) {
    const long = Array.from(columns.repeat(9));
    const each = Math.floor((high - 320) / size);
    for (let at = 0; wide - 170 - (at / each) * size * 1.75 > 130; at += each) {
      const column = long.slice(at, at + each);
      lines.push(column.join(''));
      for (const [row, character] of column.entries()) {
        // Marks stand in the upper right of their square there.
        const [right, up] = '。、'.includes(character) ? [0.6, 0.6] : [0, 0];
        const x = wide - 170 - (at / each) * size * 1.75 + right * size;
        marks += `<text x="${x}" y="${160 + (row + 0.88 - up) * size}">${character}</text>`;
      }
    }
  } else
    for (let y = 160; y < high - 120; y += size * 1.75) {
      const line = texts[language][lines.length % texts[language].length] ?? '';
      lines.push(line);
      marks += `<text x="130" y="${y}">${line}</text>`;
    }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><g font-family="${font}" font-size="${size}" fill="#222">${marks}</g></svg>`;
  const flat = await sharp(Buffer.from(svg)).flatten({ background: '#faf9f5' }).png().toBuffer();
  const { data, info } = await sharp(flat)
    .rotate(slope, { background: '#faf9f5' })
    .greyscale()
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  // The same noise in each run.
  let seed = 1;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let at = 0; at < data.length; at++)
    data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) + (random() + random() + random() - 1.5) * 24));
  const picture = await sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
    .jpeg({ quality: 80 })
    .toBuffer();
  return { picture, text: lines.join('') };
}

/** Insertions, deletions and exchanges by the length of what is right (Levenshtein); blanks do not count. */
function shareOfWrong(read: string, right: string): number {
  const [own, wanted] = [read, right].map((text) => Array.from(text.normalize('NFKC').replace(/\s/g, ''))) as [
    string[],
    string[],
  ]; // A border: one for each of two.
  let row = wanted.map((_, at) => at + 1);
  for (const [line, character] of own.entries()) {
    const next: number[] = [];
    for (const [at, each] of wanted.entries())
      next.push(
        Math.min(
          (next[at - 1] ?? line + 1) + 1,
          (row[at] ?? 0) + 1,
          (at === 0 ? line : (row[at - 1] ?? 0)) + (each === character ? 0 : 1),
        ),
      );
    row = next;
  }
  return (row.at(-1) ?? 0) / wanted.length;
}

async function timeAnswers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kotae-ocr-'));
  const port = await freePort();
  const unset = Object.fromEntries(Object.keys(everySetting).map((name) => [name, '']));
  const env = { ...unset, PORT: String(port), DATA_DIR: folder, RATE_LIMITS: 'false', MIN_FREE_DISK_MB: '0' };
  // What reads scans is on the same core: the hardest case.
  const server = await startServing([...nodeOn(0), 'server/main.ts'], { port, env });
  const post = async <T>(path: string, body: object | FormData, jwt = ''): Promise<T> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: {
        ...(jwt && { authorization: `Bearer ${jwt}` }),
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return JSON.parse(await response.text());
  };
  try {
    const { jwt } = await post<{ jwt: string }>('/api/auth/local/register', {
      username: 'ann',
      email: 'ann@example.com',
      password: 'correct horse battery',
    });
    const base = (await post<{ data: { uuid: string } }>('/api/user/knowledge', { name: 'Notes' }, jwt)).data.uuid;
    const place = `/api/user/knowledge/${base}/document`;
    await post(place, { source: 'text', name: 'a.txt', text: 'The desk opens at nine. Parking is free.' }, jwt);
    const bot = (await post<{ data: { uuid: string } }>('/api/user/bot', { name: 'Guide', knowledges: [base] }, jwt))
      .data.uuid;
    const asking = {
      port,
      path: '/api/chat',
      headers: { authorization: `Bearer ${jwt}` },
      body: () => JSON.stringify({ bot, message: { text: 'When does the desk open?' }, stream: true }),
    };
    const load = async () => (await loadStreams(asking, { connections: 20, seconds: 10 })).perSecond;
    await sleep(1000);
    await load();
    const before = await load();
    const { picture } = await draw(pages[0]);
    const scan = new PdfDocument({ autoFirstPage: false, size: 'A4', margin: 0 });
    for (let page = 0; page < 30; page++) scan.addPage().image(picture, 0, 0, { width: 595 });
    scan.end();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await buffer(scan))]), 'scan.pdf');
    await post(place, form, jwt);
    await sleep(8000);
    const meanwhile = await load();
    const share = meanwhile / before;
    console.log(
      `Answers while a scan is read: ${meanwhile.toFixed(1)}/s of ${before.toFixed(1)}/s (${share.toFixed(2)})`,
    );
    if (share < bars.answers) missed.push(`answers at ${share.toFixed(2)}`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
