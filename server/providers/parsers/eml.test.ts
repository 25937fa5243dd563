import { expect, test } from 'vitest';
import { eml } from './eml.ts';
import { finish } from './text.ts';

async function read(...parts: (string | Buffer)[]) {
  const file = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part.replaceAll('\n', '\r\n')) : part)),
  );
  expect(eml.accepts(file)).toBe(true);
  const { title, blocks, warnings } = finish(await eml.parse(file, () => {}));
  return { title, warnings, lines: blocks.map(({ kind, text }) => `${kind}: ${text}`) };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** 予約: Shift_JIS, and ISO-2022-JP with its escapes. */
const inShiftJis = Buffer.from('975c96f1', 'hex');
const inJis = Buffer.from('1b24424d3d4c731b2842', 'hex');

test('a mail gives its subject, who wrote it to whom and when, its text, what it quotes and the names of its attachments', async () => {
  const { title, lines, warnings } = await read(`From: =?UTF-8?B?${base64('山田')}?= <yamada@example.jp>
To: Ken <ken@example.jp>, Staff: a@example.jp, b@example.jp;
Subject: =?UTF-8?Q?Re:_=E4=BA=88=E7=B4=84?=
Date: Tue, 3 Mar 2026 00:30:00 +0900
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

The table is free.

> Is it free?
--b
Content-Type: text/plain; name="=?UTF-8?B?${base64('案内.txt')}?="
Content-Disposition: attachment

closed
--b--
`);
  expect(title).toBe('Re: 予約');
  expect(lines).toEqual([
    'heading: Re: 予約',
    'list: From: 山田 <yamada@example.jp>\nTo: Ken <ken@example.jp>, Staff: a@example.jp, b@example.jp\nDate: Tue, 3 Mar 2026 00:30:00 +0900',
    'paragraph: The table is free.',
    'paragraph: > Is it free?',
  ]);
  expect(warnings).toEqual([{ kind: 'file-inside', count: 1, places: ['案内.txt'] }]);
});

test('a page in a mail is read as a page, and so is each of several', async () => {
  const { lines, warnings } = await read(`Subject: Menu
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain

Curry, 900
--c
Content-Type: multipart/related; boundary=d

--d
Content-Type: text/html

<html><body><table><tr><th>Dish</th><th>Yen</th></tr><tr><td>Curry</td><td>900</td></tr></table></body></html>
--d
Content-Type: image/png; name="curry.png"
Content-ID: <curry>

x
--d--
--c--
--b
Content-Type: text/html

<html><body><p>Closed on Monday.</p></body></html>
--b--
`);
  expect(lines).toEqual([
    'heading: Menu',
    'table: | Dish | Yen |\n| --- | --- |\n| Curry | 900 |',
    'paragraph: Closed on Monday.',
  ]);
  expect(warnings).toEqual([{ kind: 'picture', count: 1, places: ['curry.png'] }]);
});

test.each([
  ['base64', `=?UTF-8?B?${base64('予約').slice(0, 4)}?=\n =?UTF-8?B?${base64('予約').slice(4)}?=`],
  [
    'base64 with padding',
    `=?UTF-8?B?${Buffer.from('予約').subarray(0, 4).toString('base64')}?=\n =?UTF-8?B?${Buffer.from('予約').subarray(4).toString('base64')}?=`,
  ],
  ['quoted-printable', '=?UTF-8?Q?=E4=BA=88=E7?=\n =?UTF-8?Q?=B4=84?='],
  ['ISO-2022-JP', `=?ISO-2022-JP?B?${inJis.toString('base64')}?=`],
])('a subject whose words end within a character is whole in %s', async (_, subject) => {
  expect((await read(`Subject: ${subject}\n\nHello there\n`)).title).toBe('予約');
});

test.each([
  [
    'Shift_JIS as quoted-printable',
    'charset=Shift_JIS\nContent-Transfer-Encoding: quoted-printable',
    '=97=5C=\n=96=F1\n',
  ],
  ['ISO-2022-JP', 'charset=ISO-2022-JP', inJis],
  ['ISO-2022-JP that is not declared', 'format=fixed', inJis],
])('%s is read', async (_, type, body) => {
  const { lines } = await read(`Subject: a\nContent-Type: text/plain; ${type}\n\n`, body);
  expect(lines.at(-1)).toBe('paragraph: 予約');
});

test('a header in the encoding of a machine is read', async () => {
  expect((await read('From: a@example.jp\nSubject: ', inShiftJis, '\n\nHello there\n')).title).toBe('予約');
});

test('lines that only the mail broke are joined', async () => {
  const { lines } = await read(
    'Subject: a\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n本日は \n休業です。\n',
  );
  expect(lines.at(-1)).toBe('paragraph: 本日は休業です。');
});

test('a text that is no mail is not accepted', () => {
  expect(eml.accepts(Buffer.from('Once upon a time: a tale'))).toBe(false);
  expect(eml.accepts(Buffer.from('PK\u0003\u0004'))).toBe(false);
});
