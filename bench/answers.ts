/**
 * What the built-in model says to our questions over our documents (`bench/answers`), asked through the server's own door.
 * A question may be answered when a decisive text stands beside it, and must be refused when none does. It counts as
 * answered when each decisive text stands in what is quoted; width, case and spaces aside. Questions of one document are
 * also asked of the next one, which does not answer them. `--wrong` names what went wrong (of unseen documents only
 * with `--unseen`), `--sqlite` is the engine unless
 * `TEST_ENGINE` says otherwise.
 */
import { basename } from 'node:path';
import { bots } from '../shared/contracts/bots.ts';
import { conversations, type Message } from '../shared/contracts/conversations.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person } from '../server/testing/app.ts';
import { blocksOf, plain, readCases, unseen, type Case, type Question } from './lib/cases.ts';

/** In %: the least that is answered of what should be, and the most of what should not. The aim is 90 and 5 in both languages. */
const bars = { en: { answered: 68, wrong: 15 }, ja: { answered: 78, wrong: 15 } };
const showsWrong = process.argv.includes('--wrong');
const showsUnseen = process.argv.includes('--unseen');

interface Tally {
  asked: number;
  answered: number;
  others: number;
  wrong: number;
  moved: number;
  movedWrong: number;
  alone: number;
  characters: number;
  ms: number;
}
const none = (): Tally => ({
  asked: 0,
  answered: 0,
  others: 0,
  wrong: 0,
  moved: 0,
  movedWrong: 0,
  alone: 0,
  characters: 0,
  ms: 0,
});

let isTold = false;
const app = await startTestApp();
const failed: string[] = [];
try {
  const person = await app.aPerson();
  for (const language of ['en', 'ja'] as const) {
    const cases = await readCases(language);
    const tallies = new Map<string, Tally>();
    for (const [at, each] of cases.entries()) {
      const tally = none();
      tallies.set(each.name, tally);
      const bot = await makeBot(person, [each]);
      isTold = showsWrong && (showsUnseen || !unseen.has(each.name));
      const alone = new Set(
        (await blocksOf(each)).filter(({ kind }) => kind === 'heading').map(({ text }) => plain(text)),
      );
      for (const question of each.questions) await put(person, bot, question, tally, alone);
      const before = cases.at(at - 1);
      for (const question of before?.questions ?? [])
        if (question.decisive.length > 0) {
          tally.moved++;
          const message = await ask(person, bot, question.text);
          if (message.citations.length > 0) {
            tally.movedWrong++;
            tell('moved', question, message);
          }
        }
    }
    isTold = false;
    const together = none();
    const all = await makeBot(person, cases);
    for (const { questions } of cases)
      for (const question of questions)
        if (question.decisive.length > 0) await put(person, all, question, together, new Set());
    const sum = (names: string[]) => names.reduce((total, name) => add(total, tallies.get(name) ?? none()), none());
    const names = [...tallies.keys()];
    print(language, [
      ...tallies,
      ['fitted', sum(names.filter((name) => !unseen.has(name)))],
      ['unseen', sum(names.filter((name) => unseen.has(name)))],
      ['all', sum(names)],
      ['all in one base', together],
    ]);
    const { asked, answered, others, wrong, alone } = sum(names);
    if (share(answered, asked) < bars[language].answered)
      failed.push(`${language}: ${share(answered, asked)} % are answered`);
    if (share(wrong, others) > bars[language].wrong)
      failed.push(`${language}: ${share(wrong, others)} % of the others are answered`);
    if (alone > 0) failed.push(`${language}: ${alone} headings are quoted alone`);
  }
} finally {
  await app.stop();
}
if (failed.length > 0) {
  console.error(`Missed: ${failed.join('; ')}`);
  process.exitCode = 1;
}

async function put(person: Person, bot: string, question: Question, tally: Tally, headings: Set<string>) {
  const started = performance.now();
  const message = await ask(person, bot, question.text);
  tally.ms += performance.now() - started;
  const quotes = quotesOf(message.text);
  if (quotes.some((quote) => headings.has(plain(quote)) || /^(?:figure|table|図|表)\s*\d[^|]*$/i.test(quote)))
    tally.alone++;
  if (question.decisive.length === 0) {
    tally.others++;
    if (message.citations.length === 0) return;
    tally.wrong++;
    return tell('answered', question, message);
  }
  tally.asked++;
  tally.characters += quotes.join('').length;
  const said = plain(quotes.join('\n'));
  if (question.decisive.every((text) => said.includes(plain(text)))) tally.answered++;
  else tell(message.citations.length === 0 ? 'refused' : 'misquoted', question, message);
}

/** The block quotes of an answer, without the marks before and after them. */
function quotesOf(text: string): string[] {
  return (text.match(/(?:^>.*(?:\n|$))+/gm) ?? []).map((quote) =>
    quote.replace(/^> ?/gm, '').replace(/ ?\[\d+\]/g, ''),
  );
}

async function ask(person: Person, bot: string, text: string): Promise<Message> {
  const { body, error } = await person.call(conversations.send, { body: { bot, message: { text } } });
  if (!body.data) throw new Error(error.code);
  return body.data.message;
}

async function makeBot(person: Person, cases: Case[]): Promise<string> {
  const base = (await person.call(knowledge.create, { body: { name: 'Bench' } })).body.data.uuid;
  for (const { file, bytes } of cases) {
    const form = new FormData();
    form.append('file', new Blob([bytes]), basename(file));
    const response = await person.fetch(documents.add.path.replace(':knowledge', base), { method: 'POST', body: form });
    if (!response.ok) throw new Error(await response.text());
  }
  await eventually('the documents are read', async () => {
    const { busyCount, chunkCount } = (await person.call(knowledge.get, { params: { uuid: base } })).body.data;
    return busyCount === 0 && chunkCount > 0;
  });
  return (await person.call(bots.create, { body: { name: 'Bench', knowledges: [base] } })).body.data.uuid;
}

function tell(what: string, { text }: Question, message: Message) {
  if (isTold)
    console.log(`  ${what}: ${text}\n      ${quotesOf(message.text).join('⏎').replaceAll('\n', '⏎').slice(0, 300)}`);
}

function print(language: string, rows: [string, Tally][]) {
  console.log(language);
  console.table(
    Object.fromEntries(
      rows.map(([name, { asked, answered, others, wrong, moved, movedWrong, alone, characters, ms }]) => [
        name,
        {
          'answered %': share(answered, asked),
          of: asked,
          'wrongly answered %': share(wrong, others),
          'of ': others,
          'moved, answered %': share(movedWrong, moved),
          ' of': moved,
          'headings alone': alone,
          characters: Math.round(characters / Math.max(1, asked)),
          ms: Math.round((ms / Math.max(1, asked + others)) * 10) / 10,
        },
      ]),
    ),
  );
}

function add(one: Tally, other: Tally): Tally {
  const sum = none();
  for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] = one[key] + other[key];
  return sum;
}

function share(count: number, of: number): number {
  return of === 0 ? 0 : Math.round((count / of) * 1000) / 10;
}
