import type { Locale } from './contracts/accounts.ts';
import type { CardsDraft, RichDraft } from './rich-message.ts';

export interface RichTemplate {
  id: string;
  name: string;
  draft: RichDraft;
}

/** Messages to begin with, in the words of a shop. Where a link leads is empty: only the maker knows. */
export function richTemplates(locale: Locale): RichTemplate[] {
  const say = (en: string, ja: string) => (locale === 'ja' ? ja : en);
  const message = (label: string, text = label) => ({ type: 'message' as const, label, text });
  const uri = (label: string) => ({ type: 'uri' as const, label, uri: '' });
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
      id: 'sale',
      name: say('Coupon', 'クーポン'),
      draft: {
        kind: 'coupon',
        alt: say('A coupon for you: 10% off everything', '全品10%オフのクーポンをお届けします'),
        language: locale,
        title: say('For our friends on LINE', 'LINEお友だち限定クーポン'),
        discount: say('10% off', '全品10%オフ'),
        until: null,
        conditions: say(
          'Once per person. Cannot be combined with other offers.',
          'お1人様1回限り。ほかの割引との併用はできません。',
        ),
        redeem: { by: 'screen' },
        button: null,
        color: '#b42318',
        picture: null,
      },
    },
    {
      id: 'hours',
      name: say('Opening hours and map', '営業時間と地図'),
      draft: cards({
        alt: say('Our opening hours, and how to find us', '営業時間とアクセスのご案内'),
        color: '#1d5fd1',
        cards: [
          card({
            title: say('Opening hours', '営業時間'),
            text: say('Five minutes on foot from the station.', '駅から徒歩5分です。'),
            facts: [
              { name: say('Mon–Fri', '平日'), value: '10:00–19:00' },
              { name: say('Sat, Sun', '土日祝'), value: '10:00–18:00' },
              { name: say('Closed', '定休日'), value: say('Wednesdays', '水曜日') },
            ],
            buttons: [
              { style: 'primary', action: uri(say('Open the map', '地図を開く')) },
              { style: 'link', action: uri(say('Call us', '電話をかける')) },
            ],
          }),
        ],
      }),
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
              'Tell us the date and party size, and we’ll reply here.',
              'ご希望の日時と人数をお知らせください。このトークでお返事します。',
            ),
            buttons: [
              {
                style: 'primary',
                action: message(say('Book now', '予約する'), say('I would like to book.', '予約をお願いします。')),
              },
              { style: 'secondary', action: message(say('Change a booking', '予約を変更する')) },
              { style: 'link', action: uri(say('Call us', '電話で予約する')) },
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
            buttons: [{ style: 'primary', action: uri(say('View', '商品を見る')) }],
          }),
          card({
            title: say('Canvas bag', 'キャンバスバッグ'),
            text: say('Room for everything you carry every day.', '毎日の荷物がすっきり収まります。'),
            facts: [{ name: say('Price', '価格'), value: '¥4,200' }],
            buttons: [{ style: 'primary', action: uri(say('View', '商品を見る')) }],
          }),
          card({
            title: say('Straw hat', '麦わら帽子'),
            text: say('Folds flat, so it travels well.', '折りたためて持ち運びにも便利。'),
            facts: [{ name: say('Price', '価格'), value: '¥3,800' }],
            buttons: [{ style: 'primary', action: uri(say('View', '商品を見る')) }],
          }),
        ],
        more: uri(say('See all of them', 'すべての商品を見る')),
      }),
    },
    {
      id: 'event',
      name: say('Event', 'イベント'),
      draft: cards({
        alt: say('You are invited: a workshop on Saturday', '土曜日のワークショップへのご招待'),
        color: '#0b7285',
        cards: [
          card({
            title: say('Coffee workshop', 'コーヒー教室'),
            text: say('Learn to brew a cup that you will want again.', 'おいしい1杯の淹れ方を、基礎からお伝えします。'),
            facts: [
              { name: say('When', '日時'), value: say('Saturday, 14:00', '土曜日 14:00') },
              { name: say('Place', '会場'), value: say('In our shop', '当店') },
              { name: say('Seats', '定員'), value: say('8', '8名') },
              { name: say('Price', '参加費'), value: '¥1,500' },
            ],
            buttons: [
              { style: 'primary', action: message(say('I’ll be there', '参加する')) },
              { style: 'link', action: uri(say('Learn more', '詳しく見る')) },
            ],
          }),
        ],
      }),
    },
    {
      id: 'receipt',
      name: say('Summary of an order', 'ご注文内容'),
      draft: cards({
        alt: say('Your order', 'ご注文内容のお知らせ'),
        color: '#1f2733',
        cards: [
          card({
            title: say('Thank you for your order', 'ご注文ありがとうございます'),
            text: say('Ready from 15:00.', '15:00以降にお渡しできます。'),
            facts: [
              { name: say('Strawberry cake', 'いちごのケーキ'), value: '¥520' },
              { name: say('Coffee', 'コーヒー'), value: '¥420' },
              { name: say('Total', '合計'), value: '¥940' },
            ],
            buttons: [{ style: 'secondary', action: message(say('Ask about this order', '注文について質問する')) }],
          }),
        ],
      }),
    },
    {
      id: 'survey',
      name: say('Survey', 'アンケート'),
      draft: cards({
        alt: say('How was your visit? One tap is enough.', 'ご利用はいかがでしたか？ワンタップでお答えください。'),
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
