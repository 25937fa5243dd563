import { describe, expect, test } from 'vitest';
import { firstWordsOf } from './first-words.ts';

const parts = (...headings: string[][]) => headings.map((each) => ({ headings: each, text: each.join(' ') }));

describe('what a bot that was made from documents offers to answer', () => {
  test.each([
    [
      'the headings below the title, in their order, each once and at most three',
      [
        ['Guide', 'Opening hours'],
        ['Guide', 'Opening hours'],
        ['Guide', 'Delivery'],
        ['Guide', 'Returns'],
        ['Guide', 'Prices'],
      ],
      ['Tell me about Opening hours', 'Tell me about Delivery', 'Tell me about Returns'],
    ],
    [
      'without their numbers',
      [
        ['就業規則', '第3条（休暇）'],
        ['就業規則', '第２章 給与'],
        ['就業規則', '【通勤手当】'],
      ],
      ['休暇について教えてください', '給与について教えてください', '通勤手当について教えてください'],
    ],
    [
      'a question as it is, and 「について」 once',
      [
        ['FAQ', 'Q1. 犬を連れて行けますか？'],
        ['FAQ', '返品について'],
      ],
      ['犬を連れて行けますか？', '返品について教えてください'],
    ],
    ['a way to do something in its own words', [['Guide', 'How to find us']], ['Tell me how to find us']],
    [
      'names and figures as they are written',
      [
        ['Guide', 'Kamakura'],
        ['Guide', '3 meals a day'],
        ['Guide', '3泊以上の割引'],
      ],
      ['Tell me about Kamakura', 'Tell me about 3 meals a day', '3泊以上の割引について教えてください'],
    ],
    [
      'nothing of parts that every document has, of figures, or of sentences',
      [
        ['Guide', 'Contents'],
        ['Guide', '目次'],
        ['Guide', '12'],
        ['Guide', 'x'.repeat(60)],
        ['Guide', '2026-11-23'],
        ['Guide'],
      ],
      [],
    ],
  ])('is %s', (_, headings, starters) => {
    expect(firstWordsOf('Guide', parts(...headings)).starters).toEqual(starters);
  });

  test('is told in the language of the documents, with their name', () => {
    expect(firstWordsOf('利用案内', parts(['利用案内', '営業時間'])).greeting).toBe(
      '「利用案内」について、何でもお尋ねください。',
    );
    expect(firstWordsOf('Guide', parts(['Guide', 'Hours'])).greeting).toBe('Ask me anything about “Guide”.');
    expect(firstWordsOf('Empty', [])).toEqual({ greeting: 'Ask me anything about “Empty”.', starters: [] });
  });
});

test('the greeting is in the language of most of the documents', () => {
  const english = 'The bakery is open from Tuesday to Sunday, and closed on Mondays. '.repeat(4);
  const japanese = '店は火曜日から日曜日まで営業しています。月曜日は定休日です。'.repeat(4);
  const greet = (...texts: string[]) =>
    firstWordsOf(
      'Sora',
      texts.map((text) => ({ headings: [], text })),
    ).greeting;
  expect(greet(english, english, japanese)).toBe('Ask me anything about “Sora”.');
  expect(greet(japanese, japanese, english)).toBe('「Sora」について、何でもお尋ねください。');
  expect(greet(`${english}（鎌倉）`)).toBe('Ask me anything about “Sora”.');
  expect(greet(`${japanese} LINE https://sora.example/`)).toBe('「Sora」について、何でもお尋ねください。');
});
