import { expect, test } from 'vitest';
import { asksForPerson } from './asks-for-person.ts';

test.each([
  'I want to talk to a person',
  'Can I speak to someone please?',
  'I’d like to speak with a human.',
  'TALK TO A REAL PERSON!!',
  'Could you put me through to customer service staff',
  'please connect me to an agent',
  'How can I talk to a human?',
  'Can I chat with your staff about my order',
  'Is there someone I can talk to?',
  'human please',
  'live agent',
  'I need a human',
  '担当者と話したいです',
  '担当者と話したい',
  '人と話したい',
  'スタッフと直接話せますか？',
  '担当の方とお話しできますか',
  'オペレーターにつないでください。',
  '店員さんに代わってもらえますか',
  '人間と話したいんですけど',
  'ボットではなく人と話したい',
  '担当者に取り次いでください',
  'スタッフさんを呼んでください',
  '有人対応をお願いします',
  '担当者をお願いします',
  'オペレーター',
])('a person is asked for: %s', (message) => expect(asksForPerson(message)).toBe(true));

test.each([
  'How many people can sit at a table?',
  'Do I need to speak to someone before I book?',
  'What happens when I talk to a person?',
  'I do not want to talk to a person',
  "I'd rather not speak to anyone",
  'When is the manager in?',
  'Can my guide dog come in?',
  'Who is the person in the picture?',
  'Is there a charge per person?',
  'I need a person to sign for my parcel, when is it delivered?',
  'I spoke to your staff yesterday and they were lovely',
  'The human resources handbook',
  'スタッフの人数を教えてください',
  '担当者の名前は何ですか',
  '一人で入れますか',
  '二人と話したい',
  '友人と話したい席はありますか',
  'スタッフと話したくない',
  'スタッフと話しましたが、返品できますか',
  '受付をお願いします',
  '担当者がいない日はありますか',
  'オペレーターの求人はありますか',
  '人気のメニューは？',
  '',
  '。。。',
])('and not by: %s', (message) => expect(asksForPerson(message)).toBe(false));

test('what is long has something else to say, however it goes on', () => {
  expect(asksForPerson(`${'My order has not come. '.repeat(9)}I want to talk to a person`)).toBe(false);
});
