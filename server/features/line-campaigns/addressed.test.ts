import { expect, test } from 'vitest';
import { withName } from '../../../shared/addressed.ts';

test.each(['$& $1 $$ $`', '{{name}}', '<b>', '\\0'])(
  'the name %j stands as it is, however its place is spaced',
  (name) => {
    expect(withName('Hello {{name}}, {{ name }} and {{  name}}!', name)).toBe(`Hello ${name}, ${name} and ${name}!`);
  },
);

test.each([
  ['Hello {{name}}, thank you for adding us!\nWe send news.', 'Hello, thank you for adding us!\nWe send news.'],
  ['Thank you for your visit yesterday, {{ name }}. Write to us.', 'Thank you for your visit yesterday. Write to us.'],
  ['{{name}}, your table is ready.', 'Your table is ready.'],
  ['We miss you, {{name}}, and would be glad to see you.', 'We miss you, and would be glad to see you.'],
  ['Dear {{name}},\nThank you.', 'Thank you.'],
  ['Good morning {{name}}! We are open.', 'Good morning! We are open.'],
  ['This coupon is for {{name}} only. Come by.', 'Come by.'],
  [
    '{{name}}さん、友だち追加ありがとうございます！\n毎月お届けします。',
    '友だち追加ありがとうございます！\n毎月お届けします。',
  ],
  ['こんにちは、{{name}}さん。お元気ですか？', 'こんにちは。お元気ですか？'],
  ['こんにちは{{name}}様！', 'こんにちは！'],
  ['{{name}}様\nご来店ありがとうございました。', 'ご来店ありがとうございました。'],
  ['{{name}}様のご予約を承りました。お待ちしております。', 'お待ちしております。'],
  ['{{name}}', ''],
  ['No name at all.  ', 'No name at all.  '],
])('without a name %j reads well', (text, said) => {
  expect(withName(text, '')).toBe(said);
});
