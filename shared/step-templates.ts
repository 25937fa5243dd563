import type { Locale } from './contracts/accounts.ts';
import type { StepStop, StepTime, StepTrigger } from './contracts/line-campaigns.ts';

export interface StepTemplate {
  id: string;
  name: string;
  /** When one takes it. */
  about: string;
  trigger: StepTrigger;
  stop: StepStop;
  steps: { time: StepTime; text: string }[];
}

/** Series to begin with, in the words of a shop; `[[…]]` is what only the maker knows. */
export function stepTemplates(locale: Locale): StepTemplate[] {
  const say = (en: string, ja: string) => (locale === 'ja' ? ja : en);
  const atOnce: StepTime = { kind: 'minutes', minutes: 0 };
  const day = (days: number, at: string): StepTime => ({ kind: 'days', days, at });
  const stop = { tag: null, writes: false, staff: false };
  return [
    {
      id: 'welcome',
      name: say('Welcome', '友だち追加後のごあいさつ'),
      about: say(
        'For new friends of a shop: a greeting, a tip, and a reason to come by within a week.',
        'お店の新しい友だち向け。ごあいさつ、役立つ情報、1週間以内の来店のきっかけを届けます。',
      ),
      trigger: { on: 'follow' },
      stop,
      steps: [
        {
          time: atOnce,
          text: say(
            'Hello {{name}}, thank you for adding us!\nWe send news and offers here, never more than a few a month. If you have a question, just write: we answer in this chat.',
            '{{name}}さん、友だち追加ありがとうございます！\nお得な情報や新商品のお知らせを、月に数回お届けします。ご質問はこのトークにお気軽にどうぞ。',
          ),
        },
        {
          time: day(3, '12:00'),
          text: say(
            'What most people ask us first: what do you recommend?\nThese are our favorites: [[link to your best sellers]]',
            '「何がおすすめ？」とよく聞かれます。\nスタッフのお気に入りをまとめました：[[人気商品のページのURL]]',
          ),
        },
        {
          time: day(7, '18:00'),
          text: say(
            'It is a week since we met. To say thank you: [[your offer, such as 10% off]] until the end of this month. Show this message when you pay.',
            '友だちになって1週間、ありがとうございます。感謝の気持ちをこめて、今月末まで[[特典（例：10%オフ）]]。お会計のときにこの画面をご提示ください。',
          ),
        },
      ],
    },
    {
      id: 'trial',
      name: say('After a trial', '体験後のフォロー'),
      about: say(
        'For schools, gyms and services: after a trial, until they join.',
        '教室・ジム・サービスの体験後から、入会までのフォローに。',
      ),
      trigger: { on: 'tag', tag: say('trial', '体験') },
      stop: { tag: say('joined', '入会'), writes: false, staff: true },
      steps: [
        {
          time: { kind: 'minutes', minutes: 120 },
          text: say(
            'Thank you for coming to your trial today, {{name}}. How was it? Tell us here what you liked and what you wondered about.',
            '{{name}}さん、本日は体験にお越しいただきありがとうございました。いかがでしたか？ご感想やご質問を、このトークでお聞かせください。',
          ),
        },
        {
          time: day(2, '19:00'),
          text: say(
            'The questions that people have after their first time, with our answers (times, prices, what to bring): [[link to your questions and answers]]',
            '体験された方からよくいただくご質問（時間・料金・持ち物）をまとめました：[[よくある質問のページのURL]]',
          ),
        },
        {
          time: day(6, '19:00'),
          text: say(
            'If you join by tomorrow, there is no joining fee. A short message here is enough, and we do the rest.',
            '明日までのご入会で、入会金が無料になります。このトークに「入会希望」と送っていただければ、こちらでお手続きをご案内します。',
          ),
        },
      ],
    },
    {
      id: 'visit',
      name: say('Come again', '再来店のご案内'),
      about: say(
        'For salons, dentists and garages: thanks after a visit, and a reminder when the next one is due.',
        '美容室・歯科・整備工場など。ご来店のお礼と、次回の時期のお知らせに。',
      ),
      trigger: { on: 'tag', tag: say('visited', '来店') },
      stop: { tag: say('booked', '予約済み'), writes: false, staff: false },
      steps: [
        {
          time: day(1, '11:00'),
          text: say(
            'Thank you for your visit yesterday, {{name}}. If anything does not feel right, write to us here and we will see to it.',
            '{{name}}さん、昨日はご来店ありがとうございました。気になる点がありましたら、このトークでお気軽にご連絡ください。',
          ),
        },
        {
          time: day(30, '11:00'),
          text: say(
            'It has been a month since your last visit. The good times fill up early; you can choose yours here: [[link to your booking page]]',
            '前回のご来店から1か月が経ちました。ご希望の時間を早めにお選びいただけます：[[予約ページのURL]]',
          ),
        },
        {
          time: day(60, '11:00'),
          text: say(
            'We have not seen you for a while, {{name}}, and would be glad to. Write a day that suits you, and we keep a place for you.',
            '{{name}}さん、その後いかがお過ごしですか？ご都合のよい日をこのトークで教えていただければ、お席をご用意します。',
          ),
        },
      ],
    },
  ];
}
