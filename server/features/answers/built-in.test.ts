import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { home } from '../../../shared/contracts/home.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const ask = async (person: Person, bot: string, text: string, thread?: string) =>
  (await person.call(conversations.send, { body: { bot, message: { text }, ...(thread && { thread }) } })).body.data;

async function aBase(person: Person, file: string | Uint8Array<ArrayBuffer>, name: string) {
  const base = (await person.call(knowledge.create, { body: { name } })).body.data.uuid;
  const form = new FormData();
  form.append('file', new Blob([file]), name);
  await person.fetch(documents.add.path.replace(':knowledge', base), { method: 'POST', body: form });
  await isRead(person, base);
  return base;
}

const isRead = (person: Person, base: string) =>
  eventually('it is read', async () => {
    const { busyCount, chunkCount } = (await person.call(knowledge.get, { params: { uuid: base } })).body.data;
    return busyCount === 0 && chunkCount > 0;
  });

/** A bot that has read one text. */
async function aReader(
  person: Person,
  text: string,
  {
    name = 'rules.md',
    ...more
  }: { name?: string; starters?: string[]; refusal?: string; contact?: string; quoteLead?: string } = {},
) {
  const knowledges = [await aBase(person, text, name)];
  return (await person.call(bots.create, { body: { name: 'Reader', knowledges, ...more } })).body.data.uuid;
}

async function aShop(person: Person, locale: 'en' | 'ja') {
  const { bot, knowledge: base } = (await person.call(home.sample, { body: { locale } })).body.data;
  await isRead(person, base);
  return bot;
}

describe.each(['en', 'ja'] as const)('in %s', (locale) => {
  test('the sample answers each question that it offers', async () => {
    const person = await app.aPerson();
    const bot = await aShop(person, locale);
    const { starters } = (await person.call(bots.show, { params: { uuid: bot } })).body.data;
    expect(starters).toHaveLength(3);
    for (const starter of starters)
      expect([starter, (await ask(person, bot, starter)).message.citations]).toEqual([starter, [expect.anything()]]);
  });

  test('each template answers the questions that it offers once it has read what such a business writes', async () => {
    const person = await app.aPerson();
    const templates = (await person.call(bots.templates, { headers: { 'accept-language': locale } })).body.data;
    for (const { id, name, config } of templates) {
      const knowledges = [await aBase(person, written[locale][id] ?? '', 'FAQ.md')];
      const bot = (await person.call(bots.create, { body: { ...config, name, knowledges } })).body.data.uuid;
      for (const starter of config.starters ?? [])
        expect([starter, (await ask(person, bot, starter)).message.citations]).not.toEqual([starter, []]);
    }
  });
});

test.each([
  ['en', 'How much is delivery?', '370 yen'],
  ['en', 'do u have wifi', 'Wi-Fi is free for guests'],
  ['en', 'Can I cancel the same day?', '500 yen'],
  ['en', 'Good morning! Could you kindly tell me how much the delivery is, please?', '370 yen'],
  ['ja', '土曜日は何時から', '土曜・日曜・祝日は9時に開店し'],
  ['ja', 'ベビーカーで入れますか', 'スロープをご用意します'],
  ['ja', '恐れ入りますが、送料について教えていただけますでしょうか。', '370円'],
])('finds what is written in other words (%s: %s)', async (locale, question, said) => {
  const person = await app.aPerson();
  const bot = await aShop(person, locale === 'ja' ? 'ja' : 'en');
  expect((await ask(person, bot, question)).message.text).toContain(said);
});

describe('a quote', () => {
  test('is one row of a table under its header', async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      '# Prices\n\n| Item | Price |\n| --- | --- |\n| Latte | 480 yen |\n| Mocha | 520 yen |\n| Espresso | 300 yen |\n\nWe change prices in April.',
    );
    expect((await ask(person, bot, 'How much is a mocha?')).message.text).toContain(
      '> | Item | Price |\n> | --- | --- |\n> | Mocha | 520 yen [1] |',
    );
  });

  test('is one row of a sheet, with the names of its columns, and nothing of the others', async () => {
    const person = await app.aPerson();
    const bot = await aReader(person, 'Item,Price,Stock\nLatte,480 yen,12\nMocha,520 yen,7\nEspresso,300 yen,0\n', {
      name: 'prices.csv',
    });
    const { text } = (await ask(person, bot, 'price of the mocha')).message;
    expect(text).toMatch(/> Item: Mocha\s+> Price: 520 yen\s+> Stock: 7 \[1\]$/);
    expect(text).not.toMatch(/Latte|Espresso/);
  });

  test('is a question with its answer', async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      'Q: Can I bring my own cake?\nA: Yes, for a plate fee of 800 yen.\n\nQ: Is there a cloakroom?\nA: Behind the bar.',
    );
    expect((await ask(person, bot, 'Can I bring a cake?')).message.text).toContain(
      '> Q: Can I bring my own cake?\n> A: Yes, for a plate fee of 800 yen. [1]',
    );
  });

  test('is the answer alone to the very question that it was written for', async () => {
    const person = await app.aPerson();
    for (const [text, question, answer] of [
      ['Q: Do you sell bicycles?\nA: No, we only sell bread.', 'do you sell bicycles', 'No, we only sell bread. [1]'],
      [
        '質問：駐車場はありますか？\n回答：店の裏に3台分あります。',
        '駐車場はありますか',
        '店の裏に3台分あります。 [1]',
      ],
    ] as const) {
      const { message } = await ask(person, await aReader(person, text), question);
      expect(message.text).toBe(answer);
      expect(message.citations).toMatchObject([{ number: 1 }]);
    }
  });

  test('has the rule to which it is the exception', async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      '第11条（副業）\n従業員は、会社の許可を得て副業を行うことができる。ただし、競合他社での副業は認めない。\n\n第12条（定年）\n定年は65歳とする。',
      { name: '規則.txt' },
    );
    const { text } = (await ask(person, bot, '競合他社で副業はできますか')).message;
    expect(text).toContain(
      '> 従業員は、会社の許可を得て副業を行うことができる。ただし、競合他社での副業は認めない。 [1]',
    );
  });

  test('goes on where a sentence announces a list', async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      '# Faults\n\nIf the pump is loud, there are a few specific causes:\n\n- Air is in the hose.\n- The filter is blocked.',
    );
    expect((await ask(person, bot, 'Why is the pump so loud?')).message.text).toContain(
      '> If the pump is loud, there are a few specific causes:\n>\n> - Air is in the hose.\n> - The filter is blocked. [1]',
    );
  });

  test('is never a heading or a caption alone', async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      '4.2 Blacklisting with Nesting\n\nFigure 3. Blacklisting with nesting\n\nNested lists are read from the inside to the outside.',
      { name: 'manual.txt' },
    );
    const { text } = (await ask(person, bot, 'blacklisting nesting')).message;
    expect(text).not.toMatch(/^> (?:4\.2 Blacklisting|Figure 3)[^\n]*$/m);
  });

  test('of a PDF names the page on which it stands', async () => {
    const person = await app.aPerson();
    const knowledges = [await aBase(person, new Uint8Array(twoPages()), 'guide.pdf')];
    const bot = (await person.call(bots.create, { body: { name: 'Guide', knowledges } })).body.data.uuid;
    const pageOf = async (question: string) => (await ask(person, bot, question)).message.citations[0]?.page;
    expect([await pageOf('When does the museum open?'), await pageOf('How much is the boat tour?')]).toEqual([1, 2]);
  });
});

describe('without an answer', () => {
  test('a greeting is returned, with what may be asked', async () => {
    const person = await app.aPerson();
    const bot = await aShop(person, 'en');
    for (const greeting of ['hello', 'Hi there!', 'Good morning'])
      expect((await ask(person, bot, greeting)).message).toMatchObject({
        text: expect.stringMatching(/^Hello!.*\n\n- What time do you open on weekends\?/),
        citations: [],
      });
    for (const thanks of ['Thank you very much!', 'ok thanks', 'Thanks, that was helpful!'])
      expect((await ask(person, bot, thanks)).message.text).toMatch(/^You are welcome\./);
    const shop = await aShop(person, 'ja');
    expect((await ask(person, shop, 'こんにちは。')).message.text).toMatch(
      /^こんにちは。.*\n\n- 週末は何時に開店しますか？/,
    );
    expect((await ask(person, shop, 'ありがとうございました')).message.text).toMatch(/^どういたしまして。/);
  });

  test('before what it quotes stand the words of the bot, ours where it has none', async () => {
    const person = await app.aPerson();
    const text = '# Rules\n\n## Swimming pool\n\nThe pool opens at 8.';
    const own = await aReader(person, text, { quoteLead: 'Our notice says:' });
    expect((await ask(person, own, 'When does the pool open?')).message.text).toMatch(/^Our notice says:\n\n> /);
    const usual = await aReader(person, text);
    expect((await ask(person, usual, 'When does the pool open?')).message.text).toMatch(
      /^This is what the documents say:/,
    );
    const japanese = await aReader(person, '# 案内\n\n## プール\n\nプールは8時に開きます。');
    expect((await ask(person, japanese, 'プールは何時に開きますか？')).message.text).toMatch(
      /^当店のご案内によると、\n\n> /,
    );
  });

  test("the bot's own refusal comes first, then the nearest headings and what may be asked", async () => {
    const person = await app.aPerson();
    const bot = await aReader(
      person,
      '# Rules\n\n## Swimming pool\n\nThe pool opens at 8.\n\n## Sauna\n\nThe sauna is mixed.',
      {
        refusal: 'Please write to us@example.com.',
        // The second one asks what a heading offers already.
        starters: ['When does the pool open?', 'Tell me about swimming pool'],
        contact: 'Reception: 000-0000-0000',
      },
    );
    const { thread, message } = await ask(person, bot, 'Which shampoo does the pool attendant prefer?');
    expect(message).toMatchObject({
      text: 'Please write to us@example.com.\n\nThis may help:\n\n- Swimming pool\n- When does the pool open?\n\nContact us: Reception: 000-0000-0000',
      citations: [],
      suggestions: ['Swimming pool', 'When does the pool open?'],
    });
    const kept = (await person.call(conversations.messages, { params: { thread: thread.uuid } })).body.data;
    expect(kept.map(({ suggestions }) => suggestions)).toEqual([[], message.suggestions]);
  });

  test('a refusal counts as one, a greeting does not, and with the last one a person takes over', async () => {
    const person = await app.aPerson();
    const handoff = { enabled: true, phrases: [], afterRefusals: 2, reply: 'A person is coming.' };
    const knowledges = [await aBase(person, 'The pool opens at 8.', 'pool.txt')];
    const bot = (await person.call(bots.create, { body: { name: 'Pool', knowledges, handoff } })).body.data.uuid;
    const { thread } = await ask(person, bot, 'What is the capital of Mongolia?');
    const said = async (text: string) => (await ask(person, bot, text, thread.uuid)).message.text;
    const status = async () =>
      (await person.call(conversations.get, { params: { thread: thread.uuid } })).body.data.status;
    expect(await said('hello')).toMatch(/^Hello!/);
    expect(await said('When does the pool open?')).toContain('The pool opens at 8.');
    expect(await said('Who painted the Night Watch?')).toMatch(/^I could not find(?![^]*A person)/);
    expect([await said('When does the pool open?'), await status()]).toEqual([expect.stringContaining('at 8'), 'bot']);
    expect(await said('How tall is Mount Fuji?')).toMatch(/^I could not find(?![^]*A person)/);
    expect(await said('How old is the moon?')).toMatch(/^I could not find[^]*\n\nA person is coming\.$/);
    expect(await status()).toBe('waiting');
  });

  test('a file that came with the question is not read, which is said, and the question is answered', async () => {
    const person = await app.aPerson();
    const bot = await aReader(person, 'The pool opens at 8.');
    const form = new FormData();
    form.append('file', new Blob(['The zoo opens at 5.']), 'zoo.txt');
    const attached = await person.fetch(conversations.attach.path, { method: 'POST', body: form });
    const { data }: { data: { uuid: string }[] } = JSON.parse(await attached.text());
    const body = { bot, message: { text: 'When does the pool open?', files: data.map(({ uuid }) => uuid) } };
    const { text } = (await person.call(conversations.send, { body })).body.data.message;
    expect(text).toMatch(/The pool opens at 8\.[^]*cannot read attached files/);
  });

  test('a question is looked up by itself, not with the one before it', async () => {
    const person = await app.aPerson();
    const bot = await aShop(person, 'en');
    const { thread } = await ask(person, bot, 'Can I bring my dog?');
    expect((await ask(person, bot, 'gift cards', thread.uuid)).message.text).toMatch(/Gift cards for 1,000/);
    expect((await ask(person, bot, 'And how long are they valid?', thread.uuid)).message.text).toMatch(
      /valid for one year/,
    );
  });
});

test('a dish whose name has words of asking in it is found', async () => {
  const person = await app.aPerson();
  const bot = await aReader(person, '# お品書き\n\nからあげは1皿480円です。\n\nお茶は無料です。');
  expect((await ask(person, bot, 'からあげはいくらですか？')).message.text).toContain('からあげは1皿480円です。');
});

test('a stricter threshold refuses what a laxer one answers', async () => {
  const person = await app.aPerson();
  const knowledges = [await aBase(person, 'The pool opens at 8.\n\nTowels are in the locker room.', 'pool.txt')];
  const citationsAt = async (threshold: number) => {
    const bot = (
      await person.call(bots.create, { body: { name: 'Pool', knowledges, retrieval: { passages: 6, threshold } } })
    ).body.data.uuid;
    return (await ask(person, bot, 'When does the pool open?')).message.citations.length;
  };
  expect([await citationsAt(0.4), await citationsAt(1)]).toEqual([1, 0]);
});

/** A PDF of two pages of a line each, without a library: https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf (7.5). */
function twoPages(): Buffer {
  const texts = ['The museum opens at nine on weekdays.', 'The boat tour costs 1200 yen and starts at the pier.'];
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 2/Kids[4 0 R 6 0 R]>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...texts.flatMap((text, at) => {
      const stream = `BT /F 12 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * at} 0 R>>`,
        `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj${object}endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${body}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`,
    'latin1',
  );
}

const written: Record<'en' | 'ja', Record<string, string>> = {
  en: {
    shop: `# Help

## Delivery

Orders leave our warehouse within one working day and arrive two to four days later. We ship to all countries of the European Union and to Switzerland.

## Payment

You can pay by credit card, PayPal or bank transfer.

## Returns

Send the goods back within 30 days, unused and in the original box. A label for the return is in your account.`,
    restaurant: `# Casa Verde

## Hours

We are open from Tuesday to Sunday, 11:30 to 14:30 and 17:30 to 22:00.

## Tables

Tables can be reserved by telephone at any time.

## Menu

On every menu there are three vegetarian dishes and one that is vegan.

## Getting here

There are twelve parking spaces behind the house.`,
    clinic: `# Dr. Lindqvist

## Consultation hours

Consultation hours are from Monday to Friday, 8:30 to 12:00.

## Appointments

Appointments are made by telephone or on our website. Without an appointment you can come between 8:30 and 9:30; please expect to wait.

## First visit

On your first visit, please bring your insurance card and a list of your medicines.`,
    helpdesk: `# IT guide

## Passwords

If you have forgotten your password, open id.example.com and choose Reset.

## VPN

Start the VPN client, choose Office and connect with your usual name.

## Software

New software is requested with the form Software request; your manager approves it.

## Suspicious mails

Did you click on a suspicious link? Unplug the network cable and call the help desk.`,
  },
  ja: {
    shop: `# ご利用案内

## 配送

ご注文から2〜4日でお届けします。

## お支払い

クレジットカード、コンビニ払い、銀行振込がご利用いただけます。

## 返品

商品の到着から14日以内であれば、未使用のものに限り返品を承ります。

## ギフト

ギフト包装は1点330円で承ります。`,
    restaurant: `# 和食 さとや

## 営業時間

火曜日から日曜日の11時30分から22時まで営業しています。

## ご予約

ご予約はお電話で承ります。

## アレルギー

卵、乳、小麦のアレルギーに対応した献立がございます。

## 駐車場

店の裏に8台分の駐車場があります。`,
    clinic: `# ひまわり内科

## 診療時間

診療時間は平日の9時から12時、15時から18時です。

## ご予約

ご予約はお電話またはウェブサイトで承ります。予約がなくても受診できますが、お待ちいただくことがあります。

## 初診

初診の方は、保険証とお薬手帳をお持ちください。`,
    helpdesk: `# 社内ITガイド

## パスワード

パスワードを忘れたときは、id.example.com で再設定してください。

## VPN

VPNに接続できないときは、いったんネットワークを切断し、もう一度つないでください。

## ソフトウェア

ソフトウェアの利用申請は、申請書に記入し、上長の承認を得てください。

## 不審なメール

不審なメールを開いたときは、LANケーブルを抜き、ヘルプデスクに電話してください。`,
  },
};

test.each([
  ['How long is the bridge?', 'The bridge carries the road from Alden to Marsh.', 'The bridge is 310 metres long.'],
  ['How heavy is the bell?', 'The bell was cast in Alden.', 'The bell weighs 2.4 tonnes.'],
  ['How many rooms does the inn have?', 'The inn has rooms for every purse.', 'The inn has 24 rooms.'],
  ['When was the inn opened?', 'The inn was opened by the mayor.', 'The inn was opened in May 1931.'],
  ['橋の長さは何メートルですか', '橋の長さは地元の自慢です。', '橋の長さは310メートルです。'],
  ['部屋は何室ありますか', '部屋はどれも南向きです。', '部屋は24室あります。'],
])('a question for a value is answered by a text that has one (%s)', async (question, without, having) => {
  const person = await app.aPerson();
  const [none, one] = [await aReader(person, without), await aReader(person, having)];
  expect((await ask(person, none, question)).message.citations).toEqual([]);
  expect((await ask(person, one, question)).message.text).toContain(having.slice(0, -1));
});
