import { stemOf } from './terms.ts';

/**
 * Words of everyday business that people use for the same thing, a line each. Written for Kotae, not taken from a list.
 * A word of several parts is one with spaces in English; in Japanese it is found wherever it stands in a text.
 */
const lines = `
price, prices, cost, costs, fee, fees, charge, charges, charged, rate, rates, tariff
pay, payment, paying, paid, settle
card, credit card, debit card, visa, mastercard
delivery, deliver, delivered, arrive, arrives, shipping, ship, shipped, dispatch, postage, sent out, by post
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
通販, 通信販売, ネット販売, オンライン販売, オンラインショップ, ネットで買え
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

go, goes, going, went, gone
come, comes, coming, came
leave, leaves, left
begin, began, begun
write, writes, wrote, written
speak, spoke, spoken, speech
break, broke, broken
choose, chose, chosen, choice
drive, drove, driven, driver, drivers
eat, ate, eaten
give, gave, given
grow, grew, grown
know, knew, known
ride, rode, ridden, rider, riders
see, saw, seen
sell, sells, sold, sale, sales
send, sends, sent
sleep, slept
speak, spoke, spoken
spend, spent
swim, swam, swum, swimmer, swimmers, swimming
take, took, taken
teach, taught, teacher, teachers, teaching
tell, told
think, thought
throw, threw, thrown
wear, wore, worn, clothes, clothing, dress code
win, wins, won, winner, winners
buy, bought
bring, brought
catch, caught
find, found, discovery, discover, discovered
build, builds, built, building, construct, constructed, construction, erect, erected
make, made, manufacture, manufactured, produce, produced, production
hold, held
lead, leads, led, leader, leaders, head, headed, direct, directed, leadership
lend, lent, loan, borrow, borrowed, rent, rental, rented, hire, hired, hiring
meet, met, meeting, meetings
lie, lay, lain
lay, laid
run, ran
rise, rose, risen
sing, sang, sung, singer, singers, song, songs
sink, sank, sunk
steal, stole, stolen
strike, struck
keep, kept
feed, fed
fight, fought
freeze, froze, frozen
forgive, forgave, forgiven
hear, heard
hide, hid, hidden
man, men
woman, women
wife, wives
person, persons, people
foot, feet
tooth, teeth
mouse, mice
leaf, leaves
half, halves
shelf, shelves
life, lives, biography
born, birth, birthday, birthplace, date of birth
die, died, dies, dead, death, deaths, pass away, passed away, killed, lose their lives, lost their lives, lose his life, lost his life, drowned, victim, victims, casualties, fatalities, perished
grave, tomb, buried, burial, cemetery, resting place
marry, married, marriage, husband, wife, spouse, wedding, partner
parent, parents, mother, father, mum, dad
brother, brothers, sister, sisters, sibling, siblings, youngest of, eldest of, oldest of
son, sons, daughter, daughters, children, child
childhood, grow up, grew up, raised, early life, upbringing
profession, occupation, career, worked as, job, jobs, trade, for a living, was a, was an, employment
famous, best known, well-known, well known, known for, renowned, celebrated
prize, prizes, award, awards, awarded, medal, honour, honoured, honor, honored
film, films, movie, movies, motion picture
watch, watched, viewed, viewers, audience, seen, spectators
book, books, volume, volumes, novel
university, college, studied, student, students, degree
school, schools, pupil, pupils, class, classes
doctorate, doctoral, thesis, phd, dissertation
illness, disease, ill, sick, sickness, fever, malaria, infection
injured, hurt, injury, injuries, wounded, harmed
invent, invented, invention, inventor, patent, patented
found, founded, establish, established, foundation, set up, founder, founders, founding, started
explore, explorer, expedition, expeditions, journey, voyage
discover, discovered, discoverer
rename, renamed, named after, name
own, owns, owned, owner, owners, belong, belongs, belonged, belonging, property of, possession
design, designs, designed, designer, architect, engineer, planned by
height, tall, high, metres high, how tall
width, wide, broad
depth, deep
thick, thickness
long, length
distance, far, miles, kilometres, kilometers, km
area, size, hectares, square metres, square
stairs, stair, staircase, steps, stairway
material, materials, made of, made from, built of, consists of, consist of
population, inhabitants, residents, people live
inhabit, inhabited, live, lives, lived, home, house
capital, seat
war, battle, wartime
king, queen, monarch, ruler
destroy, destroyed, destruction, ruined, demolished, burnt down, burned down
restore, restored, restoration, renovate, renovated, renovation, refurbished
enlarge, enlarged, enlargement, expand, expanded, expansion, extended, extension, doubled
replace, replaced, replacement, substitute, instead of
originally, at first, initially, in the beginning, at the beginning
today, nowadays, now, currently, at present, these days
accident, accidents, crash, wreck, wrecked, disaster, collision, collapse
survive, survived, survivor, survivors
visit, visits, visitor, visitors, tourists, visiting
museum, exhibition, exhibit, exhibited, display, displayed, on display, on show, shown, showed
appear, appeared, publish, published, publication, released, release, come out, came out
retire, retired, retirement
succeed, succeeded, successor
aim, goal, purpose, objective, intended
cause, causes, caused, reason, reasons, because of, due to
happen, happened, occur, occurred, take place, took place, held
finish, finished, end, ended, ends, completed, complete, completion, over
start, started, starts, begin, began, commenced, first
sooner, early, earlier
late, later, after that, delayed, delay, delays
latest, at the latest, no later than, until, deadline, by
often, frequency, every, how often, per week, per day
automatic, automated, automatically, automate
depart, departs, departed, departure, leave, leaves, leave from, set off, sail
station, stop, stops
boat, boats, ship, ships, vessel, ferry, ferries
car, cars, vehicle, vehicles, automobile
motorhome, camper, camper van, campervan, caravan, caravans
electricity, electric, power, hook-up, electric hook-up, mains
tent, tents, pitch, pitches
hut, hut, cabin, cabins, lodge, chalet
reception, front desk, office, lobby, check in desk
room, rooms, bedroom, bedrooms
vacate, be empty, clear, be off, be out, leave the room
store luggage, look after, leave our bags, left luggage, luggage storage, leave our suitcases, deposit box
turn up, arrive, arrives, arrived, arriving, arrival, arrivals, get there, get here, show up, be there
access code, door code, code, entry code, key code, keypad
cash, notes and coins, card only, card payment
down payment, deposit, deposits, advance payment, prepayment
balance, rest of the money, remaining amount, remainder
free, at no cost, free of charge, included, complimentary, no charge
extra, extras, additional, surcharge, supplement, pay extra, on top
include, includes, included, including, inclusive, contain, contains, part of
discount, discounts, reduced, reduction, concession, concessions, rebate, cheaper, percent off
expensive, dear, price
baby, babies, infant, infants, newborn, under 1, under 2, under 3, under 4
teenager, teenagers, youth, youths, young people, young person, adolescents
adult, adults, grown-up, grown-ups
senior, seniors, pensioner, pensioners, elderly, over 65
disabled, disability, wheelchair, wheelchairs, reduced mobility
toddler, cot, cots, crib, high chair, baby bed
gluten, coeliac, coeliacs, celiac, wheat-free, gluten-free
lactose, dairy, milk, dairy-free
vegetarian, vegetarians, vegan, vegans, plant-based
breakfast, brekkie, morning meal
lunch, lunches, midday meal, packed lunch, packed lunches
snack, snacks, refreshments
drink, drinks, beverage, beverages, thirsty
restaurant, restaurants, dine, dining, dinner
bakery, bread, rolls
shop, shops, store, stores, kiosk, supermarket
laundry, washing machine, washing machines, wash clothes, launderette, do my washing
shower, showers
sauna, spa, wellness
gym, fitness room, fitness centre, fitness center, work out, exercise room
lifeguard, lifeguards, supervised, supervision, on duty
watch, supervise, guard
lead, leash, leashed, on a lead, on the lead, tethered
campfire, campfires, bonfire, open fire, open fires, fire, fires
barbecue, barbecues, bbq, bbqs, grill, grills, grilling
loudspeaker, loudspeakers, speaker, speakers, music, play music, stereo
silence, quiet, quiet hours, noise, noisy, peace
phone signal, mobile reception, mobile signal, phone reception, mobile phone, cell phone, phone work, network coverage, signal
rubbish, waste, trash, garbage, litter, bin, bins, recycling
drinking water, safe to drink, tap water, water from the tap, potable
tap, taps, faucet
kayak, kayaks, canoe, canoes, paddle
life jacket, life jackets, buoyancy aid, life vest
winter, off-season, october, november, december, january, close season
summer, june, july, august
spring, march, april, may, easter
autumn, fall, september, october, november
season, seasons, open from, months
weekend, weekends, saturday, sunday
weekday, weekdays, monday, tuesday, wednesday, thursday, friday
public holiday, public holidays, bank holiday, bank holidays
daily, every day, each day
stay, stays, overnight, nights
minimum stay, at least, minimum, just one night, one night, only one night
maximum, at most, up to, no more than, limit, limits
prohibit, prohibited, forbidden, banned, ban, not allowed, not permitted, may not, must not
allow, allows, allowed, permit, permitted
compulsory, mandatory, obligatory, required, must, have to, necessary
clean, cleaned, cleaning, tidy, housekeeping
dirty, stain, stains, stained
blanket, blankets, duvet, bedding, sheets, linen, bed linen, pillow, pillows
heating, heater, heated, warm
air conditioning, air-conditioning, aircon, air con, cooling
tv, television, telly
socket, sockets, adapter, plug
charge, charging, charger, charging point, charging points
electric car, electric cars, ev, electric vehicle
key, keys, key card, keycard, room key
safe, safe deposit, valuables
taxi, cab, taxis
airport, airports, flight, plane
bus, buses, coach, coaches, shuttle
train, trains, railway, rail, railway station, train station
ticket, tickets, fare, fares, admission, entrance fee, entry fee, entrance, entry
guided tour, tour, tours, guide
map, maps, directions, way, route, routes
queue, wait, waiting, waiting time
lost property, lost and found, left behind
complaint, complaints, complain, unhappy, dissatisfied
emergency, emergencies, urgent, urgently
doctor, doctors, physician, gp
nurse, nurses
hospital, clinic, surgery
medicine, medication, drug, drugs, tablets, pills, prescription, prescriptions
pharmacy, chemist, drugstore
vaccination, vaccine, jab, vaccinated
pregnant, pregnancy, expecting
appointment, appointments, slot, slots
dentist, dental
glasses, spectacles, lenses
lesson, lessons, class, classes, course
exam, exams, examination, examinations, test, tests
homework, assignment, assignments
grade, grades, mark, marks, score
term, semester
enrol, enroll, enrolment, enrollment, register, registration, sign up, join, apply, application
headteacher, headmaster, principal, head of school
uniform, uniforms
library, libraries
fee, fees, tuition, price
scholarship, grant, bursary
warranty, guarantee, guaranteed
spare part, spare parts, replacement parts
battery, batteries, rechargeable
charger, charging cable, power adapter, power supply, power cord, cable
screen, display, monitor
button, press, push, key
lamp, light, indicator, led
blink, blinks, blinking, flash, flashes, flashing
beep, beeps, beeping, alarm, sound
filter, filters
leak, leaks, leaking, drip, dripping
overheat, overheats, too hot, hot
install, installed, fit, fitted, mount, mounted, assemble, assembly
dispose, disposal, throw away, recycle
child lock, lock, locked, unlock
room size, rooms of up to, suitable for rooms
humidity, moisture, damp
temperature, hot, cold, degrees
empty, emptied, emptying
fill, filled, refill
weekly, every week, once a week, a week
monthly, every month, once a month, a month, per month
yearly, annual, annually, every year, once a year, a year, per year
hourly, per hour, an hour
invoice, invoices, bill, bills
bank transfer, transfer, wire transfer, direct debit, bank account
currency, euros, dollars, pounds
interest, late payment
increase, raise, raises, go up, goes up
reduce, lower, go down, goes down, decline, declined, shrink, shrank
breach, breaches, violate, violation, break the rules
sign, signed, signature
written, in writing, letter
landlord, owner
tenant, tenants, renter, renters
flat, flats, apartment, apartments
move in, moving in, move into
move out, moving out
pet, pets
guarantee, promise
insurance, insured, policy
claim, claims
damage, damages, damaged
responsible, responsibility, liable, in charge, look after, takes care
contact, contacts, get in touch, reach, write to, speak to, talk to, turn to, whom to ask
available, reachable, availability, be available
core hours, working hours, work hours, office hours
break, breaks, lunch break, rest
bonus, bonuses
raise, pay rise
travel expenses, business travel, business trip, mileage
first class, business class
laptop, laptops, computer, computers, notebook
sick, off sick, call in sick
spain, france, germany, italy, japan, abroad, working from abroad, from abroad, foreign country
carry over, carried over, unused, did not use, left over, not used
expire, expires, lapse, lapses, lose
death in the family, bereavement, funeral
new hire, new employees, newcomer, joining, first day
supervisor, boss
meeting room, meeting rooms, conference room, conference rooms
kitchen, canteen, cafeteria
plant, plants, species, flower
bird, birds
fish, fishes, fishing, angling
seal, seals
insect, insects, moth, moths, bee, bees
researcher, scientist, scientists
sample, samples, specimen, specimens
measure, measured, measurement, measurements
compare, compared, comparison
suggest, recommend, recommended, recommendation, advise, advice
method, methods, procedure
data, dataset
publish, journal
weather, rain, storm
sea, ocean, coast
island, islands
mountain, mountains, peak, summit
river, rivers, stream
bridge, bridges
tower, towers
church, churches, chapel
garden, gardens
harbour, harbor, port
range, reach, visible, seen from, can be seen
shine, shone, lit, light up, lights up
crew, staff, team, men
food, ate, eat, eating, meals, diet, lived on, survived on
group, party, team, expedition consisted
newspaper, press, magazine
company, companies, firm, manufacturer, maker
worker, workers, labourer, labourers, workforce
money, pay, cost, costs, expense, total expense, sum
budget, financed, funding, paid for, pay for, funded
income, earn, earned, earnings, wage, salary
refuge, refugees, shelter
address, street, avenue
postcode, zip code
customer service, support, helpdesk, help desk, hotline, service desk
exchange, exchanges, swap, replace
size, sizes, bigger size, smaller size
fault, complaint, defective
parcel, package, parcels, packages
courier, carrier, delivery service
track, tracking, where is my order
stock, in stock, out of stock, sold out
order, orders, ordering, purchase
subscription, subscribe, membership, plan
trial, try out, free trial
account, user account, profile
username, user name, login name
reset, forgotten, change my password
upload, uploads
download, downloads
backup, back up, backups
file, files
privacy, personal data, gdpr
photo, photos, photograph, photographs, pictures, camera
printer, printers, print
copy, copies, photocopy
language, languages, speak, spoken
translate, translation, translated
german, english, french
wooden, wood, timber
stone, stones, granite, brick, bricks, blocks
iron, steel, metal
glass, glazed

生まれ, 誕生, 出生, 出身, 出身地, 生誕, 生まれた
亡くな, 死去, 死亡, 没, 死ん, 死因, 逝去, 犠牲, 他界, 亡くなった
墓, お墓, 埋葬, 葬られ
結婚, 夫, 妻, 配偶者, 夫婦, 旦那, 奥さん, 既婚
親, 両親, 父, 母, 父親, 母親, 実家, 生家
子どもは, 長男, 長女, 二男, 次男, 次女, 三女, 三男, 息子, 娘, 子どもをもうけ
兄弟, 姉妹, きょうだい, 兄, 姉, 弟, 妹
職業, 仕事, 技師, 農家, 勤め, 職に就, 稼業, 家業
就職, 就い, 働き始め, 入社, 勤め始め, 工場に入り
有名, 知られ, 名高い, 著名
発明, 考案, 考え出し, 開発, 発明者
特許, 特許料
賞, 受賞, 勲章, 褒章, 受章, 表彰, 褒賞
著書, 著した, 本を書, 回想録, 執筆, 作品
題名, タイトル, 題, 書名, 曲名
映画, ドラマ, 番組
主演, 主役, 演じ, 主人公
監督, 演出
大学, 学校, 入学, 進学, 卒業
生徒, 学生, 学ん, 児童, 在校生, 卒業生
教わ, 習い, 習う, 習っ, 学び, 教えられ, 師事
学費, 授業料, 月謝
先生, 教師, 教員, 教諭, 教授
勤務, 働い, 働き, 働く, 勤め
病気, 心不全, 肺炎, 患い, 患っ, 病
けが, 負傷, 怪我
設立, 創立, 創設, 開設, 設け, つくった, 作った, つくり, できた, 創業, 立ち上げ
開校, 開館, 開業, 開通, オープン, 開園, 開店, 始まり, 始まった, 開設
廃止, なくなった, 廃線, 廃業, 閉鎖, 閉校, 閉山, 終了, 無くなった
建設, 建て, 建造, 工事, 造られ, 築, 完成, 竣工, 着工
建設費, 総工費, 工費, 工事費
開催, 開かれ, 行われ, 催し, 行事, イベント, 催される
展示, 保存, 飾られ, 見られ, 収蔵, 公開
資料館, 博物館, 記念館, 美術館, ミュージアム
入館料, 入場料, 入園料, 観覧料, 入館
海外, 外国, 輸出, 輸入, 国外, 他国
輸出, 売られ, 販売された
売る, 売っ, 販売, 売店, 扱って, 売り
買う, 買え, 購入, 求めください, お求め
国々, 諸国, 中国, イタリア, ドイツ, フランス, アメリカ, イギリス, 国産
乗客, 旅客, 客数, お客さん, 利用者, 来客, 来場者, 乗る人
最も多, 一番多, 最多, いちばん多, 最大, ピーク, 最盛期
最も高, 一番高, いちばん高, 最高
普及, 広まり, 広がり
愛称, あだ名, ニックネーム, 通称, 呼ばれ, 親しまれ
名物, 特産, 人気, 名産
長さ, 全長, 延長, 距離, キロ
高さ, 標高, 海抜, メートル
幅, 軌間, 間隔
広さ, 面積, 平方メートル, ヘクタール, 平米, 坪
深さ, 水深
速さ, 速度, 時速
人数, 定員, 何人, 人まで, 名まで, 何名
年齢, 何歳
運ぶ, 運ん, 輸送, 運搬, 運ばれ, 馬車
乗り物, 車両, 電車, 列車, 客車, 汽車
線路, レール, 軌道
現在, 今では, 現代
昔, 当時, かつて, 以前
禁止, 禁じ, だめ, ダメ, 遠慮, ご遠慮, お断り, 断り, 不可, いけません, いけない, 控え
借り, 貸し出, 貸出, レンタル, 貸し, お貸し, 借りられ, 借りる
寝袋, シュラフ
焚き火, たき火, 焚火, 直火, キャンプファイヤー, 火
バーベキュー, bbq, 焼肉
花火, 手持ち花火
ごみ, ゴミ, 廃棄物, 分別, 分けて, 燃えるごみ, 粗大ごみ
音楽, スピーカー, 楽器, 騒音
消灯, 静か, 就寝, 静粛
泳げ, 泳ぐ, 遊泳, 水泳, 泳い, プール
釣り, 魚釣り, 釣る, 釣れ, 遊漁
熊, クマ
犬, ワンちゃん, わんこ, ドッグ, ペット
リード, つない, つなぎ
日帰り, デイキャンプ, デイユース, 日中
泊まれ, 泊まり, 宿泊, 泊, 泊まる, 滞在, お泊まり
部屋, 客室, お部屋, 室
洗濯, 洗濯機, ランドリー, コインランドリー
シャワー, 浴び
現金, キャッシュ, 小銭
電子マネー, qrコード, qr, paypay, スマホ決済, キャッシュレス, コード決済
クレジットカード, カードで, カード払い, クレカ, カード, クレジット
未就学児, 幼児, 乳児, 歳の子, 歳児, 赤ちゃん
小学生, 子供, 子ども, 児童, お子様
中学生, 高校生, 学生
大人, 成人, 一般
高齢者, シニア, お年寄り, 65歳以上
割引, 割り引き, 安く, 値引き, 半額, 割安
全額, 100%, 全部
前日, 前の日, 1日前
当日, その日, 同じ日
翌日, 次の日, 翌朝
定休日, 休業, 休館, 休館日, 休園, 休診, 休み, 休業日, 閉館日
冬, 冬季, 冬期, 冬場, 営業期間
夏, 夏季, 夏期, 夏場, 夏休み
朝, 早朝, 午前, 朝方
夜, 夜間, 夕方, 晩, 深夜, 夜中
チェックアウト, 出ない, 退室, 退出, 部屋を出, 出なければ
チェックイン, 入室, 受付
到着, 着く, 着き, 着い, 遅れ
遅れ, 遅刻, 遅く, 過ぎて, 過ぎる
早め, 早く, 事前, 前もって, あらかじめ
送迎, 迎え, 送り
晩ごはん, 夕食, 晩ご飯, 夕ご飯, 夕ごはん, ディナー, 夜ご飯
昼食, 昼ご飯, 昼ごはん, ランチ, お昼
朝食, 朝ごはん, 朝ご飯, モーニング
バイキング, ビュッフェ, 食べ放題
飲み物, ドリンク, ジュース, お酒, ビール, 飲料, お茶
冷蔵庫, ミニバー
喫煙, 喫煙所, たばこ, タバコ, 吸え, 吸う, 煙草, 禁煙, 加熱式
貸切, 家族だけ, プライベート, 個室
露天風呂, 温泉, お風呂, 風呂, 入浴
タトゥー, 刺青, 入れ墨, いれずみ
エアコン, 冷房, 暖房, 空調
テレビ, tv
コンビニ, スーパー, 商店
無線lan, wi-fi, wifi, ワイファイ, インターネット, ネット
携帯, 携帯電話, スマホ, スマートフォン, 電波, 圏外
充電器, 充電, 充電スタンド, 充電設備
台風, 悪天候, 荒天, 雨天, 雨, 天候, 天気
中止, 取りやめ, 閉鎖, 休止, 中断
支払, 支払い, 払った, 払っ, 払い, 負担, 支払う, 出した, 出し, 費用を出
収入, 稼い, 稼ぎ, 所得, 儲け, 売上
減少, 減り, 減った, 縮ま, 短縮, 低下, 落ち
増加, 増え, 増やし, 伸び, 上がっ
自動, 自動的, 申し出がないとき
更新, 継続, 延長
納品, 納入, 引き渡し, 検収
連絡先, 問い合わせ, 問合せ, お問い合わせ, 連絡
担当者, 担当
責任, 責任者, 責任を負
許可, 承認, 了承, 承諾, 同意
締切, 締め切り, 期限, 期日, 〆切, 最終日
会費, 年会費, 月会費
入会, 会員登録, 会員になる, 加入
退会, 脱退, やめる
申込, 申し込み, 申込み, 応募, エントリー
登録, 登録方法, サインアップ
書類, 必要書類, 証明書, 用紙
診察, 受診, 診療, 外来
薬, お薬, 処方, 処方箋
予防接種, ワクチン, 接種
入院, 退院, 手術
保護者, 親御さん, 父兄
遠足, 修学旅行, 旅行
給食, お弁当, 弁当
制服, 服装, ドレスコード, 身だしなみ
運動会, 体育祭, 体育
図書館, 図書室
貸出期間, 返却期限
電池, 乾電池, バッテリー
電源, スイッチ
ボタン, 押す, 押し
液晶, 画面, ディスプレイ
フィルター, フィルタ
水漏れ, 漏れる, 漏水
音がする, 異音, うるさい, 騒音
臭い, におい, 匂い, ニオイ
焦げ, こげ, 焼きすぎ
捨て, 廃棄, 処分
部品, パーツ, 交換部品, 消耗品
対象年齢, 歳以上, 歳未満
禁煙, 火気厳禁
所有, 持ち主, 所有者, オーナー
管理, 運営, 経営
社長, 代表, 代表者, 代表取締役
従業員, 職員, 作業員, スタッフ, 働く人
本社, 所在地, 住所
設計, 設計者, 建築家
材料, 素材, 原料, 材質
色, カラー
重さ, 重量, 質量, キログラム, トン
温度, 気温
原因, 理由, 要因, により, ため
目的, ねらい, 趣旨
名前, 名称, 氏名
跡, 跡地, 廃線跡
散歩, 歩け, 歩く, 歩い, 立ち入り, 立入, 通れ, 通行
自転車, サイクリング, 自転車道
見学, 観光, 見物, ツアー
最寄り, 近く, 近い, 周辺, 付近
駅, 停留所, バス停
道順, ルート, 行き方, アクセス
時刻表, 本数, 運行, 運転間隔
運賃, 切符, 乗車券, 乗車料金
遅い, 最終, 終了, ラスト
追加, 別料金, オプション, 有料
領収書, 領収証, インボイス, レシート
届け, 配達, 宅配, 配送
破損, 壊れた, 汚した, 汚損, 弁償
鍵, カギ, ロック
忘れた, 忘れ, 紛失, なくした, なくす
解除, 取り外し, 外す
眉, まゆげ, 眉毛, 眉カット
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
    stem: stemOf(match[0].replace(/['’]s$/, '')),
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
  return [...text.matchAll(latinWord)].map(([word]) => stemOf(word.replace(/['’]s$/, '')));
}
