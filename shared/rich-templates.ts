import type { Locale } from './contracts/accounts.ts';
import type { CardsDraft, RichDraft } from './rich-message.ts';

export interface RichTemplate {
  id: string;
  name: string;
  draft: RichDraft;
}

/** Messages to begin with, in the words of a shop; what has to be changed in them looks like an example. */
export function richTemplates(locale: Locale): RichTemplate[] {
  const say = (en: string, ja: string) => (locale === 'ja' ? ja : en);
  const site = 'https://example.com/';
  const message = (label: string, text = label) => ({ type: 'message' as const, label, text });
  const uri = (label: string, address = site) => ({ type: 'uri' as const, label, uri: address });
  const card = (given: Partial<CardsDraft['cards'][number]>): CardsDraft['cards'][number] => ({
    picture: null,
    title: '',
    text: '',
    facts: [],
    buttons: [],
    ...given,
  });
  const cards = (given: Pick<CardsDraft, 'alt' | 'color' | 'cards'> & Partial<CardsDraft>): CardsDraft => ({
    kind: 'cards',
    ratio: 'wide',
    more: null,
    ...given,
  });
  return [
    {
      id: 'coupon',
      name: say('Coupon', 'クーポン'),
      draft: {
        kind: 'flex',
        alt: say(
          'A coupon for you: 10% off until the end of the month',
          '今月末まで使える10%オフクーポンをお届けします',
        ),
        contents: bubble({
          color: '#b42318',
          kicker: say('Thank you for being our friend', 'お友だち限定'),
          title: say('10% off everything', '全品10%オフ'),
          body: [
            words(say('Show this screen when you pay.', 'お会計のときにこの画面をご提示ください。')),
            { type: 'separator', margin: 'lg' },
            row(say('Valid until', '有効期限'), say('End of this month', '今月末まで'), 'lg'),
            row(say('Code', 'コード'), 'LINE10', 'sm'),
            words(
              say(
                'Once per person. Cannot be combined with other offers.',
                'お1人様1回限り。ほかの割引との併用はできません。',
              ),
              {
                size: 'xs',
                margin: 'lg',
                color: pale,
              },
            ),
          ],
          buttons: [
            {
              style: 'primary',
              action: { type: 'clipboard', label: say('Copy the code', 'コードをコピー'), clipboardText: 'LINE10' },
            },
          ],
        }),
      },
    },
    {
      id: 'hours',
      name: say('Opening hours and map', '営業時間と地図'),
      draft: {
        kind: 'flex',
        alt: say('Our opening hours, and how to find us', '営業時間とアクセスのご案内'),
        contents: bubble({
          color: '#1d5fd1',
          kicker: say('Visit us', 'ご来店'),
          title: say('Opening hours', '営業時間'),
          body: [
            row(say('Mon–Fri', '平日'), '10:00–19:00'),
            row(say('Sat, Sun', '土日祝'), '10:00–18:00', 'sm'),
            row(say('Closed', '定休日'), say('Wednesdays', '水曜日'), 'sm'),
            { type: 'separator', margin: 'lg' },
            words(say('1-2-3 Example Street, five minutes from the station', '見本市見本町1-2-3（駅から徒歩5分）'), {
              margin: 'lg',
            }),
          ],
          buttons: [
            {
              style: 'primary',
              action: uri(
                say('Open the map', '地図を開く'),
                'https://www.google.com/maps/search/?api=1&query=Tokyo%20Station',
              ),
            },
            { style: 'link', action: uri(say('Call us', '電話をかける'), 'tel:0312345678') },
          ],
        }),
      },
    },
    {
      id: 'menu',
      name: say('Menu of the day', '本日のおすすめ'),
      draft: cards({
        alt: say('What we recommend today', '本日のおすすめメニューです'),
        color: '#a15c00',
        cards: [
          card({
            title: say('Lunch of the day', '日替わりランチ'),
            text: say('Grilled fish, rice, soup and a small salad.', '焼き魚、ご飯、味噌汁、小鉢付き。'),
            facts: [
              { name: say('Price', '価格'), value: '¥980' },
              { name: say('Served', '提供時間'), value: '11:30–14:00' },
            ],
            buttons: [{ style: 'primary', action: message(say('Reserve a table', '席を予約する')) }],
          }),
          card({
            title: say('Cake set', 'ケーキセット'),
            text: say('Any cake with coffee or tea.', 'お好きなケーキに、コーヒーまたは紅茶が付きます。'),
            facts: [
              { name: say('Price', '価格'), value: '¥850' },
              { name: say('Served', '提供時間'), value: '14:00–17:00' },
            ],
            buttons: [{ style: 'primary', action: message(say('Reserve a table', '席を予約する')) }],
          }),
        ],
        more: uri(say('See the whole menu', 'すべてのメニューを見る')),
      }),
    },
    {
      id: 'booking',
      name: say('Booking', 'ご予約'),
      draft: cards({
        alt: say('Book a time with us', 'ご予約はこちらから'),
        color: '#0a6b3d',
        cards: [
          card({
            title: say('Book a time', 'ご予約'),
            text: say(
              'Tell us the day and how many you are; we answer here.',
              'ご希望の日時と人数をお知らせください。このトークでお返事します。',
            ),
            buttons: [
              {
                style: 'primary',
                action: message(say('Book now', '予約する'), say('I would like to book.', '予約をお願いします。')),
              },
              { style: 'secondary', action: message(say('Change a booking', '予約を変更する')) },
              { style: 'link', action: uri(say('Call us', '電話で予約する'), 'tel:0312345678') },
            ],
          }),
        ],
      }),
    },
    {
      id: 'arrival',
      name: say('New arrivals', '新着商品'),
      draft: cards({
        alt: say('New in our shop this week', '今週の新着商品のご案内'),
        color: '#5b3bb0',
        ratio: 'square',
        cards: [
          card({
            title: say('Linen shirt', 'リネンシャツ'),
            text: say('Light and cool, in four colors.', '軽くて涼しい4色展開。'),
            facts: [{ name: say('Price', '価格'), value: '¥6,900' }],
            buttons: [{ style: 'primary', action: uri(say('Look at it', '商品を見る')) }],
          }),
          card({
            title: say('Canvas bag', 'キャンバスバッグ'),
            text: say('Room for everything you carry every day.', '毎日の荷物がすっきり収まります。'),
            facts: [{ name: say('Price', '価格'), value: '¥4,200' }],
            buttons: [{ style: 'primary', action: uri(say('Look at it', '商品を見る')) }],
          }),
          card({
            title: say('Straw hat', '麦わら帽子'),
            text: say('Folds flat, so it travels well.', '折りたためて持ち運びにも便利。'),
            facts: [{ name: say('Price', '価格'), value: '¥3,800' }],
            buttons: [{ style: 'primary', action: uri(say('Look at it', '商品を見る')) }],
          }),
        ],
        more: uri(say('See all of them', 'すべての商品を見る')),
      }),
    },
    {
      id: 'event',
      name: say('Event', 'イベント'),
      draft: {
        kind: 'flex',
        alt: say('You are invited: a workshop on Saturday', '土曜日のワークショップへのご招待'),
        contents: bubble({
          color: '#0b7285',
          kicker: say('Saturday, 14:00', '土曜日 14:00'),
          title: say('Coffee workshop', 'コーヒー教室'),
          body: [
            words(
              say('Learn to brew a cup that you will want again.', 'おいしい1杯の淹れ方を、基礎からお伝えします。'),
            ),
            row(say('Place', '会場'), say('In our shop', '当店'), 'lg'),
            row(say('Seats', '定員'), say('8', '8名'), 'sm'),
            row(say('Price', '参加費'), '¥1,500', 'sm'),
          ],
          buttons: [
            { style: 'primary', action: message(say('I will come', '参加する')) },
            { style: 'link', action: uri(say('More about it', '詳しく見る')) },
          ],
        }),
      },
    },
    {
      id: 'receipt',
      name: say('Summary of an order', 'ご注文内容'),
      draft: {
        kind: 'flex',
        alt: say('Your order', 'ご注文内容のお知らせ'),
        contents: bubble({
          color: '#1f2733',
          kicker: say('Order 1024', '注文番号 1024'),
          title: say('Thank you', 'ご注文ありがとうございます'),
          body: [
            price(say('Strawberry cake', 'いちごのケーキ'), '¥520'),
            price(say('Coffee', 'コーヒー'), '¥420', 'sm'),
            { type: 'separator', margin: 'lg' },
            price(say('Total', '合計'), '¥940', 'lg'),
            words(say('Ready from 15:00.', '15:00以降にお渡しできます。'), { size: 'xs', margin: 'lg', color: pale }),
          ],
          buttons: [{ style: 'secondary', action: message(say('Ask about this order', '注文について質問する')) }],
        }),
      },
    },
    {
      id: 'survey',
      name: say('Survey', 'アンケート'),
      draft: cards({
        alt: say('How did you like it? One tap is enough', 'ご利用はいかがでしたか？ワンタップでお答えください'),
        color: '#0a6b3d',
        cards: [
          card({
            title: say('How was your visit?', 'ご利用はいかがでしたか？'),
            text: say('One tap is enough, and helps us a lot.', 'ワンタップでお答えいただけます。'),
            buttons: [
              { style: 'secondary', action: message(say('Very good', 'とても良かった')) },
              { style: 'secondary', action: message(say('All right', '普通')) },
              { style: 'secondary', action: message(say('Not so good', 'あまり良くなかった')) },
            ],
          }),
        ],
      }),
    },
  ];
}

type Part = { type: string; [name: string]: unknown };

const ink = '#1f2733';
const pale = '#6b7280';

const words = (text: string, more: object = {}): Part => ({
  type: 'text',
  text,
  size: 'sm',
  color: ink,
  wrap: true,
  ...more,
});

const row = (name: string, value: string, margin?: string): Part => ({
  type: 'box',
  layout: 'baseline',
  spacing: 'sm',
  ...(margin && { margin }),
  contents: [
    { type: 'text', text: name, size: 'sm', color: pale, flex: 3 },
    { type: 'text', text: value, size: 'sm', color: ink, weight: 'bold', flex: 5, wrap: true },
  ],
});

const price = (name: string, value: string, margin?: string): Part => ({
  type: 'box',
  layout: 'horizontal',
  ...(margin && { margin }),
  contents: [
    { type: 'text', text: name, size: 'sm', color: ink, flex: 3, wrap: true },
    { type: 'text', text: value, size: 'sm', color: ink, weight: 'bold', align: 'end', flex: 2 },
  ],
});

interface Drawn {
  color: string;
  kicker: string;
  title: string;
  body: Part[];
  buttons: { style: string; action: object }[];
}

const bubble = ({ color, kicker, title, body, buttons }: Drawn): Part => ({
  type: 'bubble',
  header: {
    type: 'box',
    layout: 'vertical',
    backgroundColor: color,
    paddingAll: '20px',
    contents: [
      { type: 'text', text: kicker, size: 'sm', color: '#ffffff', wrap: true },
      { type: 'text', text: title, size: 'xl', weight: 'bold', color: '#ffffff', wrap: true, margin: 'sm' },
    ],
  },
  body: { type: 'box', layout: 'vertical', contents: body },
  footer: {
    type: 'box',
    layout: 'vertical',
    spacing: 'sm',
    contents: buttons.map(({ style, action }) => ({
      type: 'button',
      style,
      height: 'sm',
      ...(style !== 'secondary' && { color }),
      action,
    })),
  },
});
