import { stemOf } from './terms.ts';

/**
 * Words of everyday business that people use for the same thing, a line each. Written for Kotae, not taken from a list.
 * A word of several parts is one with spaces in English; in Japanese it is found wherever it stands in a text.
 */
const lines = `
price, prices, cost, costs, fee, fees, charge, charges, charged, rate, rates, tariff
pay, payment, paying, paid, settle
card, credit card, debit card, visa, mastercard
delivery, deliver, delivered, shipping, ship, shipped, dispatch, postage, sent out, by post
free, free of charge, no charge, no extra charge, complimentary, gratis
refund, refunded, money back, reimburse, reimbursed, reimbursement
return, returns, returned, get back, send back, give back, bring back, brought back, handed back
cancel, cancelled, cancels, canceled, cancellation, call off, terminate, terminated, termination, end the contract
notice, notice period, give notice, resign, resignation, quit, leaving, hand in notice
book, booked, booking, reserve, reserved, reservation, reservations
change, changed, changes, modify, amend, alter, reschedule
opening hours, open, opens, opening, opened, business hours
close, closes, closed, closing, shut
check in, check-in, arrival, arrive, arriving
check out, check-out, departure, depart
wifi, wi fi, wi-fi, wireless, wlan, internet
parking, park, car park, parked, parking space, parking lot, garage
dog, dogs, pet, pets, animal, animals, cat, cats, puppy
child, children, kid, kids, toddler, toddlers, baby, babies, infant, infants
pram, prams, stroller, strollers, pushchair, pushchairs, buggy
wheelchair, wheelchairs, step-free, accessible, accessibility, barrier-free
toilet, toilets, restroom, restrooms, bathroom, bathrooms, washroom, lavatory
salary, salaries, wage, wages, payroll, payday, pay day, paycheck
overtime, extra hours, work late
holiday entitlement, annual leave, paid leave, vacation, vacations, holidays, holiday, time off, days off, day off, pto
sick, sickness, ill, illness, unwell
doctor's certificate, doctor's note, doctors note, sick note, medical certificate
work from home, working from home, home office, telework, teleworking, remote, remotely, remote work
boss, manager, supervisor, line manager, superior, team lead
colleague, colleagues, coworker, coworkers, employee, employees, staff
second job, second jobs, side job, side jobs, secondary employment, moonlight, moonlighting
maternity, paternity, parental, birth
wedding, marry, married, marriage, getting married
move house, moving house, relocation
expense, expenses, costs incurred, receipts
training, course, courses, further education
contract, agreement
term, duration, contract length, contract period, minimum term
rent, monthly fee, monthly rent
deposit, security deposit, bond
landlord, provider, lessor
late payment, pay late, arrears, overdue, paid late
liability, liable, responsible, responsibility
court, courts, jurisdiction, dispute, disputes
confidential, confidentiality, secret, non-disclosure, nda
warranty, guarantee, guaranteed
repair, repairs, fix, fixed, mend, mended
broken, faulty, defective, defect, fault, does not work, malfunction
error, fault code, error code, error message
clean, cleaning, cleaned, wash, washed, vacuum, care
turn on, turn it on, switch on, switch it on, switched on, power on, start
turn off, turn it off, switch off, switch it off, switched off, power off, stop
button, buttons, key, keys
drain, drainage, draining, continuous drainage, permanent draining
weigh, weighs, weight, heavy
size, dimensions, measurements, how big, capacity, holds
power consumption, watts, wattage, w
noise, noise level, loud, quiet, decibels, db
battery, charge level, range, one charge
tyre, tyres, tire, tires, flat tyre, puncture, flat tire
stolen, steal, theft, thief
lost, lose, lost property, left behind, loss
helmet, helmets
id, identification, passport, photo id, identity card
bring, bring along, carry, take along
document, documents, papers, certificate
allowed, permitted, permit, prohibited, forbidden, welcome, may
age, old, age limit, years old
telephone, phone, call, ring, phone number
mail, email, e-mail
address, location, find us, located, directions
discount, discounts, reduction, reduced
voucher, vouchers, gift card, gift cards, gift certificate
breakfast, breakfasts
dinner, supper, evening meal
luggage, baggage, suitcase, suitcases, bags
shuttle, transfer, pick up, pick-up
guest, guests, visitor, visitors
vegetarian, vegan, meat-free
allergy, allergies, allergic, gluten, wheat
charger, charging station, power socket, power sockets, outlet, plug
password, passcode
sign in, log in, login, logging in
valid, validity, expire, expires, expiry, expiration
fund, funded, funding, sponsor, sponsored, finance, financed, grant, paid for by
participant, participants, subject, subjects, respondent, respondents
author, authors, researcher, researchers
study, research, paper, studied, examined, investigated, compared
limitation, limitations, weakness, weaknesses, shortcoming, says nothing about, one summer only
result, results, finding, findings, outcome
decline, declined, go down, gone down, drop, dropped, fall, fell, decrease, decreased, reduce, reduced, fewer, loss
increase, increased, rise, rose, raise, raised, go up, went up, more, grew
common, most common, frequent, most frequent, usual
big, large, bigger, larger
quick, quickly, soon, fast
ready, ready in, finished, how soon, turnaround
express, rush, urgent
shorten, shortening, made shorter, hem, hemming
zip, zipper, zips, zippers
coat, coats
wool, woollen, woolen
color, colour, colors, colours, coloured, colored
print, prints, printing, printed
camera footage, recordings, recording, video
key card, keycard, access card
office, workspace, workplace
night, nights, at all hours
competitor, competitors, rival, rivals
flight, flights, fly, plane
train, railway, rail
hotel, hotels, accommodation
bike, bikes, bicycle, bicycles
works council, staff council, union
data protection, privacy, personal data
supplied, included, in the box
cash, notes and coins

group, groups, party
plant, plants, flower, flowers
moon, moonlit, moonlight
harm, harms, harmful, damage, damages, damaged, hurt
buy, purchase, purchased, order, ordered, orders
employer, company, firm
member, members, customer, customers, client, clients, tenant
sublet, sublease, assign
manual, instructions, guide
install, installation, installed, set up, setup
update, updates, updated, upgrade
delete, deleted, remove, removed, erase, erased
save, saved, store, stored, keep, kept, retained
connect, connected, connection, pair, pairing
restart, reboot, reset
light, lights, lamp, lamps, led, lighting
temperature, degrees, celsius
water, water tank, tank
speed, fast, km
floor, storey, level
lift, elevator
swim, swimming, pool
towel, towels, linen
smoke, smoking, cigarettes
invoice, bill, receipt, bills
tax, vat, taxes
insurance, insured, insure, cover
penalty, fine, surcharge
extend, extension, extended, prolong, renew, renewal, renewed
start, begin, begins, began, beginning, commence
end, ends, finish, finishes, expire
apply, application, request, requests, submit
approve, approval, approved, permission, consent, authorised, authorized
meal, meals, food, lunch, eat
travel, trip, trips, journey, journeys, business trip
remind, reminder, reminders
error, errors, problem, problems, trouble
bonus, bonuses, incentive
pension, retirement, retire
probation, probation period, trial period

料金, 値段, 価格, 費用, 代金, 金額, 単価, お代, お金
支払, 支払い, 払う, 払え, 払い, お支払い, 決済, 精算, 会計
クレジットカード, クレカ, カード払い
送料, 配送料, 配達料, 郵送料
配送, 配達, 発送, 届く, 届き, お届け, 送付, 出荷
無料, タダ, ただで, 無償, 0円, 負担いたします
返品, 返却, 送り返, 返し
返金, 払い戻, 払戻
キャンセル, 取消, 取り消し, 取りやめ, 予約を取り消
解約, 中途解約, 途中で解約, 契約を終了, 契約をやめ
変更, 変える, 変えられ, 変えたい
予約, ご予約, 申し込み, 申込, 申込み
営業時間, 開店, 営業, 開いて, 開館, 開園, 閉店, 閉館
定休日, 休業日, 休館日, 休診日, 店休日, 閉まって
チェックイン, 部屋に入れ, 到着
チェックアウト, 出発
wifi, wi-fi, ワイファイ, 無線lan, インターネット, ネット環境
駐車場, 駐車, パーキング, 車を停め, 車をとめ, 車で
ペット, 犬, 猫, 動物, わんちゃん, ワンちゃん
子ども, 子供, こども, お子様, お子さま, 児童, キッズ, 子連れ, 小学生
赤ちゃん, 乳児, 乳幼児, 幼児, 離乳食
ベビーカー, 乳母車
車椅子, 車いす, 車イス, バリアフリー
トイレ, お手洗い, 手洗い, 化粧室
送迎, 送迎バス, シャトルバス, 迎えに来, 迎えに
荷物, スーツケース, 手荷物, 預か, 預け
タトゥー, 入れ墨, 刺青, いれずみ
風呂, 温泉, 大浴場, 浴場
貸切, 貸し切り, 貸切り
夕食, 晩ご飯, 夕飯, ディナー
朝食, 朝ご飯, 朝ごはん, モーニング
食事, ご飯, 献立, 料理, メニュー
アレルギー, アレルゲン
ev, 電気自動車
給料, 賃金, 給与, サラリー, 月給, 給料日, 支給日, 振り込む
賞与, ボーナス
手当, 支給, 補助
有給, 年次有給休暇, 年休, 有休, 有給休暇
半休, 半日休暇, 半日単位, 半日
慶弔, 結婚, 入籍
休暇, 休み, 休め, 休日, 欠勤
病気, 体調不良, 病欠, 病気休暇
診断書, 医師の診断書
残業, 時間外労働, 時間外, 超過勤務
残業代, 割増賃金, 割増率, 残業手当
在宅勤務, リモートワーク, テレワーク, 在宅, リモート
時差出勤, フレックス, 時差勤務
勤務時間, 労働時間, 就業時間, 始業, 終業
休憩, 休み時間, 昼休み
通勤手当, 交通費, 通勤費
副業, 兼業, ダブルワーク
競合, 競合他社, ライバル会社, 同業他社
退職, 辞め, やめたい, 退社
入社, 就職
定年, 定年退職
育児, 育休, 育児休業, 産休
ハラスメント, パワハラ, セクハラ, いやがらせ
相談先, 相談窓口, 相談, 窓口, 問い合わせ先
上司, 所属長, 上長, マネージャー
従業員, 社員, スタッフ, 職員
会社, 勤務先
契約期間, 期間, 有効期間
更新, 延長, 延ばし, 自動更新
報酬, 委託料, 対価
支払期日, 支払期限, 支払日, 締め切り, 期日
振込, 振り込, 送金
再委託, 下請け, 外注, 第三者に委託
検収, 検査, 受け入れ検査
不具合, バグ, 欠陥, 契約不適合, 瑕疵
修正, 直し, 直す, 修理, 補修
著作権, 権利, 知的財産
秘密保持, 守秘義務, 秘密, 機密
漏えい, 漏洩, 流出, 漏れ
損害賠償, 賠償, 賠償額, 弁償
裁判所, 管轄, 訴訟, 裁判
上限, 最大, 限度, まで
保証, 保証期間, ギャランティ
故障, 壊れ, 動かない, 異常, トラブル
エラー, エラー表示, 表示
重さ, 質量, 重量, 何キロ, 体重
大きさ, サイズ, 寸法, 容量
消費電力, ワット, 電力
お手入れ, 手入れ, 掃除, 洗い方, 洗う, 洗います, 洗え
食器洗い乾燥機, 食洗機, 食器洗い機
外れない, とれない, 取れない, はずれない
止めたい, やめる, やめたい, 中止, 停止, 取消
置き場所, 離して, 設置
ふくらまない, 膨らまない, ふくらみ, 膨らみ
イースト, ドライイースト
所要時間, 時間, かかる時間
カット, 散髪, ヘアカット, 切って, 切る
前髪, まえがみ
白髪染め, 白髪, グレイカラー
デジタルパーマ, デジパー
浴衣, ゆかた
眉, まゆげ, 眉毛, まゆ
編み込み, 編み込んで
値引き, 割引, 2割引, 値下げ, 割り引き
追加, 別途, 上乗せ, 追加料金
必要, 要る, いりますか, 不要
助成, 研究費, 資金, 支援を受け, 助成を受け, 出資
参加, 対象, 被験者
限界, 課題, 弱点
理由, 原因, なぜ, どうして
減った, 減り, 減少, 少なく, 低下, 少なかった
増えた, 増え, 増加, 多かった, 上昇
違い, 差, 差が
測定, 測った, 計測, 測り
けが, 怪我, ケガ, 負傷
すり傷, 擦り傷, 擦り剥き
維持費, 維持, 維持にかかる
電話, tel, 連絡, お電話
住所, 所在地, 場所, アクセス, 行き方
忘れ物, 落とし物, 遺失物, お忘れ物, 紛失, なくし, 無くし
有効期限, 期限, いつまで使え
パスワード, 暗証番号, 合言葉
メール, eメール, 電子メール
喫煙, たばこ, タバコ, 煙草, 禁煙
席, 座席, テーブル席
電源, コンセント, 充電
持ち物, 持参, 持って行く, 持っていく, 用意するもの
健康保険証, 保険証
受付, 受け付け, 受付時間
初診, はじめて受診, 初めて受診
領収書, 領収証, レシート
土曜, 土曜日, 週末
日曜, 日曜日, 週末
weekend, weekends, saturday, saturdays, sunday, sundays
ギフト包装, ラッピング, プレゼント包装, のし
海外, 国外, 外国
abroad, overseas, international, foreign, country, countries, worldwide
gift wrap, gift wrapping, wrapped as a gift
appointment, appointments
consultation hours, surgery hours, consultation
software, program, app, application
link, suspicious link, phishing
forgot, forgotten, forget
ソフトウェア, ソフト, アプリ
不審なメール, フィッシング, 迷惑メール
連れて行け, 同伴, 一緒に, 連れて
調査, 調べた, 調べ, 研究
学校, 小学校, 中学校, 校
男女, 男子, 女子, 性別
申請, 届け出, 届出, 申し出, 申し込, 届
承認, 許可, 承諾, 認め
提出, 出す, 提出し
連絡, 知らせ, 通知, 報告
持ち込み, 持ち込, 持ち込む
購入, 買い, 買う, 注文, お買い上げ
在庫, 品切れ
保管, 預かり, 保存, お預かり
設定, セットアップ, 初期設定
接続, つなぐ, つなが, つなげ
再起動, リセット, 初期化
点灯, 点滅, ランプ
充電, バッテリー, 電池
温度, 室温, 何度
水, お水, 給水, タンク
朝, 午前
夜, 夜間, 深夜
税, 税金, 消費税, 税込, 税別
保険, 補償
違約金, ペナルティ, 延滞金, 遅延損害金
敷金, 保証金, デポジット
家賃, 賃料
解除, 即時解除
譲渡, 又貸し, 転貸
出張, 旅費, 宿泊費
経費, 立替, 精算
研修, 教育, 講習
評価, 人事評価
試用期間, 見習い
健康診断, 健診
プール, 水泳
エレベーター, エレベータ
フロント, 受付
最寄り駅, 駅, 最寄り
徒歩, 歩いて
バス, 送迎
結果, 結論, 判明
目的, 狙い
方法, 手順, やり方
`;

/** Longest, in words, that an English entry may be. */
const maxWords = 4;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const groups = lines
  .trim()
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(', '));

const latinWord = /[a-z0-9]+(?:['’][a-z]+)?/g;
const english = new Map<string, number[]>();
const japanese = new Map<string, number[]>();
for (const [group, entries] of groups.entries())
  for (const entry of entries) {
    const [map, key] = cjk.test(entry) ? [japanese, entry] : [english, wordsOf(entry).join(' ')];
    map.set(key, [...new Set([...(map.get(key) ?? []), group])]);
  }
/** By their first character, the longest first. */
const byFirst = Map.groupBy(
  [...japanese.keys()].sort((one, other) => other.length - one.length),
  (entry) => entry.charAt(0),
);

/** An entry of the list that stands in a text, and the groups of which it is one. */
export interface Meant {
  groups: number[];
  start: number;
  end: number;
}

/** The entries in a text that is in NFKC and lower case, the longest at each place; none lies within another. */
export function meantIn(text: string): Meant[] {
  const found: Meant[] = [];
  for (let at = 0; at < text.length; at++) {
    const entry = byFirst.get(text.charAt(at))?.find((each) => text.startsWith(each, at));
    if (!entry) continue;
    found.push({ groups: japanese.get(entry) ?? [], start: at, end: at + entry.length });
    at += entry.length - 1;
  }
  const words = [...text.matchAll(latinWord)].map((match) => ({
    stem: stemOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  for (let at = 0; at < words.length; at++)
    for (let count = Math.min(maxWords, words.length - at); count > 0; count--) {
      const key = words
        .slice(at, at + count)
        .map(({ stem }) => stem)
        .join(' ');
      const known = english.get(key);
      const [first, last] = [words[at], words[at + count - 1]];
      if (!known || !first || !last) continue;
      found.push({ groups: known, start: first.start, end: last.end });
      at += count - 1;
      break;
    }
  return found;
}

/** The entries of a group, as they are written in the list. */
export const entriesOf = (group: number): string[] => groups[group] ?? [];

function wordsOf(text: string): string[] {
  return [...text.matchAll(latinWord)].map(([word]) => stemOf(word));
}
