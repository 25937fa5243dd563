/**
 * English words that people use for the same thing in everyday business, a line each; "~" marks words that only have to do with
 * each other. Written for Kotae, not taken from a list. An entry may have up to four words.
 */
export const english = `
price, prices, cost, costs, fee, fees, charge, charges, charged, rate, rates, tariff
pay, payment, paying, paid, settle
delivery, deliver, delivered, arrive, arrives, shipping, ship, shipped, dispatch, postage, sent out, by post
free, free of charge, no charge, no extra charge, complimentary, gratis
refund, refunded, money back, reimburse, reimbursed, reimbursement
return, returns, returned, get back, send back, give back, bring back, brought back, handed back
cancel, cancelled, cancels, canceled, cancellation, call off, terminate, terminated, termination, end the contract
notice, notice period, give notice, resign, resignation, quit, leaving, hand in notice
book, booked, booking, reserve, reserved, reservation, reservations
change, changed, changes, modify, amend, alter, reschedule
opening hours, open, opens, opening, opened, business hours
check in, check-in, arrival, arrive, arriving
check out, check-out, departure, depart
wifi, wi fi, wi-fi, wireless, wlan, internet
parking, park, car park, parked, parking space, parking lot, garage
dog, dogs, puppy, pet, pets, animal, animals
cat, cats, pet, pets, animal, animals
child, children, kid, kids, toddler, toddlers, baby, babies, infant, infants
pram, prams, stroller, strollers, pushchair, pushchairs, buggy
wheelchair, wheelchairs, step-free, accessible, accessibility, barrier-free
toilet, toilets, restroom, restrooms, bathroom, bathrooms, washroom, lavatory
salary, salaries, wage, wages, payroll, payday, pay day, paycheck
overtime, extra hours, work late
holiday entitlement, annual leave, paid leave, vacation, vacations, holidays, holiday, time off, days off, day off, pto
doctor's certificate, doctor's note, doctors note, sick note, medical certificate
work from home, working from home, home office, telework, teleworking, remote, remotely, remote work
colleague, colleagues, coworker, coworkers, employee, employees, staff
second job, second jobs, side job, side jobs, secondary employment, moonlight, moonlighting
maternity, paternity, parental, birth
wedding, marry, married, marriage, getting married
move house, moving house, relocation
expense, expenses, costs incurred, receipts
training, course, courses, further education
term, duration, contract length, contract period, minimum term
rent, monthly fee, monthly rent
deposit, security deposit, bond
landlord, provider, lessor
late payment, pay late, arrears, overdue, paid late
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
allowed, permitted, permit, prohibited, forbidden, welcome, may
age, old, age limit, years old
telephone, phone, call, ring, phone number
mail, email, e-mail
address, location, find us, located, directions
voucher, vouchers, gift card, gift cards, gift certificate
breakfast, breakfasts
dinner, supper, evening meal
luggage, baggage, suitcase, suitcases, bags
shuttle, transfer, pick up, pick-up
guest, guests, visitor, visitors
vegetarian, vegan, meat-free
allergy, allergies, allergic, gluten, wheat
charger, charging station, power socket, power sockets, outlet, plug
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
hotel, hotels, accommodation
supplied, included, in the box
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
light, lights, lamp, lamps, led, lighting
temperature, degrees, celsius
water, water tank, tank
speed, fast, km
floor, storey, level
lift, elevator
swim, swimming, pool
towel, towels, linen
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
weekend, weekends, saturday, saturdays, sunday, sundays
abroad, overseas, international, foreign, country, countries, worldwide
gift wrap, gift wrapping, wrapped as a gift
consultation hours, surgery hours, consultation
software, program, app, application
link, suspicious link, phishing
forgot, forgotten, forget
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
mother, mum, mom
father, dad
~ parent, parents, mother, father, mum, dad
~ brother, brothers, sister, sisters, sibling, siblings, youngest of, eldest of, oldest of
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
inhabit, inhabited, live, lives, lived, home, house
capital, seat
war, battle, wartime
king, queen, monarch, ruler
destroy, destroyed, destruction, ruined, demolished, burnt down, burned down
restore, restored, restoration, renovate, renovated, renovation, refurbished
enlarge, enlarged, enlargement, expand, expanded, expansion, extended, extension, doubled
replace, replaced, replacement, substitute, instead of
originally, at first, initially, in the beginning, at the beginning
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
car, cars, vehicle, vehicles, automobile
motorhome, camper, camper van, campervan, caravan, caravans
electricity, electric, power, hook-up, electric hook-up, mains
tent, tents, pitch, pitches
hut, cabin, cabins, lodge, chalet
reception, front desk, office, lobby, check in desk
room, rooms, bedroom, bedrooms
vacate, be empty, clear, be off, be out, leave the room
store luggage, look after, leave our bags, left luggage, luggage storage, leave our suitcases, deposit box
turn up, arrive, arrives, arrived, arriving, arrival, arrivals, get there, get here, show up, be there
access code, door code, code, entry code, key code, keypad
cash, notes and coins, card only, card payment
down payment, deposit, deposits, advance payment, prepayment
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
spring, march, april, may, easter
autumn, fall, september, october, november
season, seasons, open from, months
weekday, weekdays, monday, tuesday, wednesday, thursday, friday
stay, stays, overnight, nights
minimum stay, at least, minimum, just one night, one night, only one night
maximum, at most, up to, no more than, limit, limits
prohibit, prohibited, forbidden, banned, ban, not allowed, not permitted, may not, must not
allow, allows, allowed, permit, permitted
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
lost property, lost and found, left behind
complaint, complaints, complain, unhappy, dissatisfied
emergency, emergencies, urgent, urgently
doctor, doctors, physician, gp
nurse, nurses
hospital, clinic, surgery
medicine, medication, drug, drugs, tablets, pills, prescription, prescriptions
pharmacy, chemist, drugstore
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
library, libraries
fee, fees, tuition, price
scholarship, grant, bursary
battery, batteries, rechargeable
charger, charging cable, power adapter, power supply, power cord, cable
screen, display, monitor
button, press, push, key
lamp, light, indicator, led
blink, blinks, blinking, flash, flashes, flashing
beep, beeps, beeping, alarm, sound
leak, leaks, leaking, drip, dripping
overheat, overheats, too hot, hot
install, installed, fit, fitted, mount, mounted, assemble, assembly
child lock, lock, locked, unlock
room size, rooms of up to, suitable for rooms
humidity, moisture, damp
temperature, hot, cold, degrees
fill, filled, refill
weekly, every week, once a week, a week
monthly, every month, once a month, a month, per month
yearly, annual, annually, every year, once a year, a year, per year
hourly, per hour, an hour
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
guarantee, promise
claim, claims
responsible, responsibility, liable, in charge, look after, takes care
contact, contacts, get in touch, reach, write to, speak to, talk to, turn to, whom to ask
available, reachable, availability, be available
core hours, working hours, work hours, office hours
break, breaks, lunch break, rest
travel expenses, business travel, business trip, mileage
first class, business class
laptop, laptops, computer, computers, notebook
spain, france, germany, italy, japan, abroad, working from abroad, from abroad, foreign country
carry over, carried over, unused, did not use, left over, not used
expire, expires, lapse, lapses, lose
new hire, new employees, newcomer, joining, first day
meeting room, meeting rooms, conference room, conference rooms
plant, plants, species, flower
bird, birds
fish, fishes, fishing, angling
seal, seals
~ insect, insects, moth, moths, bee, bees
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
subscription, subscribe, membership, plan
trial, try out, free trial
account, user account, profile
username, user name, login name
reset, forgotten, change my password
upload, uploads
download, downloads
file, files
photo, photos, photograph, photographs, pictures, camera
printer, printers, print
copy, copies, photocopy
language, languages, speak, spoken
translate, translation, translated
~ german, english, french
wooden, wood, timber
stone, stones, granite, brick, bricks, blocks
iron, steel, metal
glass, glazed
check in, check-in, checkin, checking in, arrival, room is ready, rooms are ready, room ready, get into the room, access to the room, rooms are available from, get the keys
check out, check-out, checkout, checking out, vacate, vacated, leave the room, rooms must be vacated, be out of the room, departure
late checkout, late check-out, stay longer in the room, keep the room longer, keep the room, extend the stay, later departure
early check-in, early arrival, arrive early, arrive before, come earlier, get in early, too early
late arrival, arrive late, after hours, late at night, after midnight, around midnight, in the middle of the night
cleaned, cleaning, housekeeping, maid, chambermaid, make up the room, made up, tidied, service the room
towel, towels, bath towels, fresh towels, bathrobe, bathrobes, dressing gown
hairdryer, hair dryer, blow dryer, hair drier
iron, ironing board, ironing
toiletries, shampoo, soap, shower gel, toothbrush
kettle, tea and coffee, coffee maker, coffee machine, espresso machine
fridge, refrigerator, minibar, mini bar, cool box
microwave, oven, hob, stove, cooker, cooking facilities, kitchenette, self-catering
dishwasher, dishes, crockery, cutlery, plates, washing up
bed, beds, double bed, twin beds, single bed, mattress, sofa bed, extra bed, cot
pillow, pillows, cushion, cushions
view, views, sea view, overlooks, overlooking, facing
balcony, balconies, terrace, terraces, patio, veranda
noise, noisy, loud, quiet, silence, disturb, disturbing
neighbor, neighbors, neighbour, neighbours, next door
key, keys, keycard, room card, key box, key safe, lockbox
lock, locked, unlock, bolt
keys lost, lost key, lose the key, lose my key, lost keys, replacement key
front door, main door, entrance, main entrance, side door, gate, gates
curfew, door closes, doors close, locked at, doors are locked, come back late, get back in
hot tub, jacuzzi, whirlpool, spa
massage, massages, treatment, treatments
bar, pub, cocktail, cocktails
room service, in-room dining
half board, full board, board, meals included
picnic, packed lunch, lunch box, lunch bag
vegetarian, veggie, meatless, without meat, meat-free
halal, kosher
nuts, peanuts, nut allergy
sugar, diabetic, diabetics
high chair, highchair, booster seat
babysitter, babysitting, childcare, childminder, looks after children, child minding
playground, play area, playroom, games room, swings
crib, cot, travel cot, baby bed
kids club, children's programme, children's program, activities for children
bicycle, bicycles, bike, bikes, cycle, cycling, cyclist
bike storage, bike shed, bicycle store, store bikes, bike rack, lock up bikes
hike, hikes, hiking, walk, walks, trail, trails, footpath, footpaths, path
ski, skis, skiing, slope, slopes, snowboard
beach, shore, seaside, seafront, sand
luggage storage, store luggage, leave luggage, leave my bags, leave bags, look after bags, keep your bags, left luggage, bag storage
pick up from the station, picked up, collect you, fetch you, pick-up service, shuttle, transfer, airport transfer
nearest, closest, near, nearby, next to, close to, within walking distance
on foot, walk, walking, minutes away, minute walk
parking permit, parking space, parking spot, parking lot, car park, carpark, garage, leave the car, park the car, parking
motorcycle, motorcycles, motorbike, motorbikes, scooter
coach, coaches, minibus, van, vans
electric car, charge my car, charging point, charging points, charging station, ev charger, wallbox, e-car
tourist tax, city tax, visitor's tax, visitors tax, local tax, resort tax, occupancy tax
price, prices, cost, costs, pricing, price list, how much, tariff, what does it cost
cheap, cheaper, cheapest, lowest price, best price, inexpensive, affordable, budget
surcharge, supplement, extra charge, additional charge, extra fee, additional fee, added
single room, single rooms, single occupancy, alone
double room, double rooms, twin room
family room, family rooms, for families, families
suite, suites
dormitory, dormitories, dorm, dorms, bunk, bunks, bunk bed
payment method, payment methods, pay by, pay with, means of payment, ways to pay, accept, accepted, how to pay
card, cards, credit card, debit card, visa, mastercard, amex, american express, plastic
contactless, apple pay, google pay, mobile payment, paypal
cash, in cash, banknotes, coins
instalment, instalments, installment, installments, monthly payments, pay in parts, spread the cost, payment plan
prepay, prepaid, in advance, upfront, up front, beforehand, advance
down payment, deposit, part payment, advance payment, first payment
balance, remaining amount, remainder, rest of the money, rest of the amount, final payment, outstanding amount
full amount, in full, total, total price, whole amount, entire amount
no-show, no show, do not appear, fail to appear, fails to appear, do not show up, don't turn up, does not come, without notice
cancel, cancels, cancelled, canceled, cancelling, canceling, cancellation, call off, back out, withdraw, change my mind
cancellation fee, cancellation charge, charged for cancelling, cost to cancel
refund, refunds, refunded, money back, get my money, reimburse, reimbursed, repay, repaid, paid back, returned to you, credited
voucher, vouchers, gift voucher, gift card, gift certificate, coupon, coupons, promo code, discount code
discount, discounts, reduction, reduced price, reduced rate, special offer, offers, deal, deals, percent off, off the price, cheaper
student, students, student discount, university students, apprentices
loyalty, points, bonus points, rewards
tip, tips, gratuity, gratuities, service charge
invoice, invoices, bill, bills, receipt, receipts, proof of purchase, proof of payment
vat, value added tax, sales tax, tax included, including tax, net, gross
overdue, late payment, pay late, late fee, miss a payment, unpaid, arrears, not paid on time, in default, default, reminder fee
interest, interest rate, default interest
price increase, raise the price, raise the fee, put up prices, price rise, prices go up, fee goes up, adjust the fee, adjust prices, price adjustment, increase the fee, more expensive
opening hours, opening times, open, opens, opened, when are you open, business hours, hours of business
close, closes, closed, closing, closing time, shut, shuts
reception, front desk, reception desk, counter, desk, staffed, manned
public holiday, public holidays, bank holiday, bank holidays, national holiday, christmas, new year, easter
weekday, weekdays, working day, working days, business day, business days, monday to friday, mondays to fridays
afternoon, noon, midday, lunchtime
morning, mornings, a.m., before noon
evening, evenings, night, nights, tonight
every day, daily, each day, seven days a week, per day
around the clock, 24 hours, day and night, at any time, at all hours, 24/7, any hour
season, seasons, seasonal, high season, low season, peak season, off-peak
winter, in winter, november, december, january, february, winter break, cold season
summer, in summer, june, july, august, summer holidays
salary, pay, wages, paycheck, payslip, payslips, pay slip, pay day, payday, paid out, transferred to your account
minimum wage, hourly wage, hourly rate, pay per hour
pay rise, raise, salary increase, salary review, more money, pay review, earn more
bonus, bonuses, thirteenth month, christmas bonus, incentive, extra pay, premium
allowance, allowances, subsidy, subsidised, subsidized, contribution, contributes, the company pays, paid by the company, covered
overtime, extra hours, work longer, stay late, working late, additional hours
overtime pay, paid overtime, overtime rate, time and a half
night shift, night shifts, night work, work at night, nights
shift, shifts, rota, roster, schedule, shift plan, timetable
swap shifts, change shifts, swap, trade shifts, exchange shifts
start work, begin work, start of work, start time, when does work start, working day begins, shift starts
finish work, end of work, leave work, knock off, go home
working hours, hours of work, work hours, office hours, weekly hours, hours a week, hours per week
flexitime, flextime, flexible hours, flexible working hours, core time, core hours
time clock, time tracking, clock in, clock out, record working time, record your hours, time sheet, timesheet, log hours, punch in
break, breaks, lunch break, pause, rest period, coffee break
late for work, be late, running late, arrive late, delayed
absence, absent, miss work, not come to work, stay away, off work, days off
sick, ill, unwell, sickness, illness, sick leave, call in sick, off sick, cold, flu
sick note, doctor's note, medical certificate, doctor's certificate, certificate from a doctor, proof of illness
sick pay, continued pay, paid while sick
annual leave, paid leave, vacation, vacation days, holidays, holiday allowance, leave days, days of leave, holiday entitlement, time off, pto
carry over, carried over, carry forward, take over to next year, unused leave, unused days, leftover, remaining leave, left over
leave request, request leave, apply for leave, ask for time off, request holiday, book holiday, take leave
unpaid leave, sabbatical, leave without pay, time out
parental leave, maternity leave, paternity leave, maternity, paternity, birth of a child, having a baby, new baby, become a father, become a mother
pregnant, pregnancy, expecting a baby, expectant mothers
child is sick, sick child, child sick leave, child falls ill, care for a sick child
bereavement, funeral, death of a relative, death in the family, relative dies, compassionate leave
special leave, wedding, own wedding, getting married, moving house, house move
caregiver, nursing care, care leave, caring for relatives, care for parents
home office, work from home, working from home, remote work, remote working, telework, mobile working, wfh, from home
work abroad, from abroad, another country, foreign country, overseas
probation, probation period, probationary period, trial period, first six months, first three months
notice period, notice, give notice, hand in notice, quit, resign, resignation, leave the company, terminate employment, leaving the company
dismissal, dismissed, fired, fire, sacked, lay off, laid off, terminated
warning, written warning, formal warning, disciplinary, consequences, sanction, sanctions, misconduct
reference, references, letter of reference, certificate of employment, testimonial
job interview, interview, hiring, recruitment, recruit, applicant, applicants, candidate
new employee, new starter, new hire, newcomer, onboarding, induction, first day, joining
colleague, colleagues, coworker, coworkers, team mate, teammates, workmates
manager, supervisor, boss, line manager, superior, team leader, team lead, head of department, foreman, shift leader
human resources, hr, personnel department, personnel
works council, union, staff representative, employee representative, staff council
second job, side job, secondary job, moonlighting, other job, sideline, part-time job, secondary employment, another employer, work elsewhere, freelance
conflict of interest, competitor, competitors, competing company, rival
gift, gifts, present, presents, accept gifts, tips from customers, giveaway
expenses, travel expenses, travel costs, claim expenses, expense claim, reimbursement, out-of-pocket
per diem, daily allowance, meal allowance, subsistence
company car, business car, pool car, company vehicle, mileage, kilometre allowance, kilometer allowance
commute, commuting, travel to work, way to work, job ticket, travel pass, commuter, season ticket
train travel, rail travel, first class, second class, economy
training, trainings, further training, course, courses, workshop, workshops, seminar, education, learning, qualification
pension, company pension, retirement plan, retirement, retire, old age
health insurance, medical insurance, medical, checkup, check-up, health check, medical examination, occupational doctor, company doctor
accident at work, work accident, injured at work, injury, injured, hurt myself, cut myself
first aid, first aider, first-aid kit, first aid kit, bandage, plaster
safety, protective, protective equipment, safety shoes, safety boots, hard hat, gloves, goggles, ppe, ear protection, hearing protection
fire, fire alarm, evacuation, assembly point, fire extinguisher, fire drill, emergency exit
smoke, smoking, cigarette, cigarettes, smoker, smokers, vape, e-cigarette, e-cigarettes
alcohol, drink alcohol, drunk, drugs, beer, wine
dress code, uniform, uniforms, work clothes, workwear, clothing, outfit, what to wear, wear, attire
laundry, wash uniforms, launder, laundered, cleaning of work clothes
jewellery, jewelry, rings, earrings, necklace, watches
nails, fingernails, nail polish
hair, tied back, beard, beards
mobile phone, mobile, cell phone, cellphone, smartphone, phones, private phone, personal phone, private calls
internet use, private use, surf, browse, social media, facebook, instagram
post, posts, posting, publish, share online
photo, photos, picture, pictures, photograph, photographs, take pictures, film, filming, record video
data protection, privacy, personal data, personal information, confidential, gdpr
confidentiality, confidential, secret, secrecy, trade secrets, keep quiet about, nda, non-disclosure, disclose, disclosed
laptop, computer, work computer, company laptop, device, devices, hardware, equipment
password, passwords, passcode, pin, login data, credentials
locker, lockers, changing room, changing rooms, cloakroom, dressing room
canteen, cafeteria, staff restaurant, meals at work, staff meals, break room, kitchen, lunchroom
parking at work, staff parking, employee parking
harassment, bullying, bullied, mobbing, discrimination, harassed, treated badly, insulted
complaint, complaints, complain, grievance, report a problem, concern, concerns
whistleblower, report anonymously, anonymous, anonymously, ombudsman
suggestion, suggestions, ideas, improvement, improvements
hygiene, wash hands, hand washing, disinfect, disinfection, sanitizer, sterile
vaccination, vaccinated, vaccine, immunisation, immunization, flu shot, jab
patient, patients, clients
visitor, visitors, guests, bring someone, bring friends, bring a friend, strangers, outsiders
family, family members, relatives, relative, spouse, partner, husband, wife
staff discount, employee discount, discount for employees
anniversary, anniversaries, years of service, length of service, seniority, jubilee, long service
birthday, birthdays
christmas party, office party, team event, company outing, celebration, party
turn on, switch on, power on, start up, start the device, put on, activate, activated
turn off, switch off, power off, shut down, deactivate, deactivated
does not start, will not start, won't start, does not turn on, won't turn on, not switch on, no power, nothing happens, dead, does not work, doesn't work, not working, stopped working
standby, sleep mode, auto off, switches itself off, turns off by itself, switches off automatically
plug in, plugged, plug, mains, socket, outlet, power cord, power cable, mains cable, extension lead, extension cord
voltage, volts, volt, watts, watt, power consumption, consumption, uses how much electricity, wattage, energy
fuse, fuse blew, circuit breaker
first use, before first use, using it for the first time, first time, brand new, initial use
unpack, unpacking, packaging, packing material, box
in the box, supplied, scope of delivery, package contents, comes with, accessories, included parts, contents, delivered with
accessory, accessories, attachment, attachments, extra parts
assemble, assembly, put together, attach, attached, mount, mounting, installation, install, set up
upright, stand upright, level surface, flat surface, stable, place it, where to put, positioning, location, set it up
distance to the wall, clearance, distance from walls, gap, away from, free space
outdoors, outside, open air, garden, balcony, indoors, indoor use
humid, bathroom, wet room, damp, moisture, wet
children, child, kids, age of eight, supervision, supervised, unsupervised
pet hair, fur, cat hair, dog hair
clean, cleaning, wash, washed, wipe, wiped, rinse, rinsed, maintain, maintenance, care, look after
detergent, cleaning agent, soap, washing-up liquid, dish soap, washing powder, cleaner, solvent, bleach
dishwasher, dishwasher-safe, dishwasher safe, put it in the dishwasher
descale, descaling, limescale, scale, calcified, lime, vinegar, citric acid
filter, filters, replace the filter, change the filter, filter change, new filter
dust, dusty, dust container, dustbin, bin, dirt container, bag, bags, empty the container
water tank, tank, reservoir, water container, fill with water, refill, fill up, fill level, max mark
empty, emptied, emptying, pour out, drain, drained
leak, leaks, leaking, drips, dripping, water comes out, puddle, wet floor, runs out
noise, noises, loud, noisy, sound, rattles, rattling, hum, humming, squeaks, vibrates, vibrating, decibels, db
smell, smells, odour, odor, odours, stinks, burnt smell, stench
smoke, smokes, smoking, burning, burns, sparks
hot, heats up, overheats, overheating, overheated, too warm, gets warm, overheating protection
cold, not warm, lukewarm, does not heat, does not get hot, not heating
does not cool, not cold enough, not cooling, too warm
suction, suction power, does not suck, weak, sucks badly, less power, loses power, picks up
blocked, clogged, jammed, stuck, blockage, obstruction, jam, jams
blink, blinks, blinking, flashes, flashing, red light, orange light, light is red, lights up, indicator, indicator light, lamp
beep, beeps, beeping, signal tone, buzzer, tone, tones, acoustic signal
display, screen, shows, message, error code, code, fault code, error message
error, errors, fault, faults, malfunction, problem, problems, trouble, troubleshooting
reset, restart, factory settings, reboot, start again, restore
battery, batteries, rechargeable battery, charge, charged, charging, recharge, battery life, running time, runtime, lasts
charging time, how long to charge, fully charged, charge time, takes to charge
remote control, remote, controller
timer, time switch, delay start, delayed start, program, programme, preset
programme, programmes, program, programs, mode, modes, setting, settings, level, levels
temperature, temperatures, degrees, set the temperature, heat setting, hotter
child lock, child safety, lock the buttons, key lock, buttons do not react, buttons do not respond, touch panel locked, no response
app, wifi connection, connect to wifi, pair, pairing, bluetooth, wireless, connect
cable, cord, cable length, cord length, lead
damaged cable, cable damaged, frayed, broken cable
lid, cover, flap, door
capacity, holds, how much fits, volume, litres, liters, load, how many cups, maximum load, fits
weight, weighs, heavy, heaviest, kilos, kilograms
dimensions, measurements, size, how big, width, height, depth, how large
warranty, guarantee, guaranteed, warranty period, under warranty, two years
repair, repairs, repaired, fix, mend, service, customer service, authorised service, workshop, specialist
spare part, spare parts, replacement part, replacement parts, order parts, wearing parts
return, send it back, send in, ship back
dispose, disposal, throw away, get rid of, recycle, recycling, household waste, collection point, scrap
storage, store, stored, put away, not using it, longer period, not in use, unused for a long time, winter storage
frost, freezing, freeze, below zero
transport, transporting, carry, moving it, move the device, handle
manual, instruction manual, instructions, user guide, booklet, instructions for use
serial number, model number, type plate, rating plate, nameplate
oil, lubricate, grease, lubricant
ingredient, ingredients, flour, sugar, recipe, recipes
brush, brushes, roller, nozzle, nozzles
blade, blades, knife, knives, sharp
pump, motor, engine, fan
steam, steaming, vapour, vapor
grind, grinder, beans, coffee beans, ground coffee
milk, milk froth, frother, foam
crust, browning, crispy, toast
soft, hard, firm
wet, dry, drying, dries
thaw, defrost, defrosting, ice, icing
replace, replaced, change, exchange, swap, renew, new one
contract, agreement, terms, conditions, terms and conditions, terms of use
parties, contracting parties, between whom, who is the contract
start of contract, comes into effect, effective, takes effect, begins, commencement, starts on, in force
contract term, duration, minimum term, fixed term, runs for, initial term, contract period, how long does it last, how long am I tied, tied in, locked in, commitment
renewal, renews, renewed, automatically renewed, automatic renewal, extends, extended, prolonged, continues, rolls over, auto-renew
terminate, termination, end the contract, cancel the contract, get out of the contract, leave the contract, cancel my membership, quit, notice, give notice, opt out
notice period, period of notice, weeks' notice, months' notice, how far ahead, in advance, before the end
good cause, important reason, without notice, immediately, extraordinary termination, immediate termination, with immediate effect
form of notice, in writing, written form, by email, text form, by letter, signed, by post, in text form
pause, freeze, suspend, suspended, suspension, put on hold, interrupt, dormant, take a break
move away, moving away, relocate, relocation, new address, change of address
transfer, transferred, assign, assigned, hand over, someone else take over, take over the contract, pass on, another person, third party, third parties
membership, member, members, membership card, join, joining, sign up
joining fee, registration fee, admission fee, setup fee, set-up fee, one-off fee, starting fee, enrolment fee, activation fee
monthly fee, monthly payment, per month, a month, monthly, each month, subscription fee, membership fee, dues
annual fee, yearly, per year, a year, each year, annually, annual
payment due, due date, due, when do I have to pay, payable, first day of the month, payment terms, within days, day of the month
direct debit, debit, debited, bank account, bank transfer, standing order, sepa, collected from, withdrawn
bounced, returned debit, chargeback, insufficient funds, payment fails, failed payment, returned payment
block access, deny access, refuse entry, refuse access, lock out, restrict access, suspend access
trial, free trial, test period, trial lesson, trial session, try it, taster
scope of services, services, service, included in the price, what do I get, what is included, includes, performance
excluded, not included, except, does not include, exclusion
change of terms, amend, amendment, amendments, modify the terms, change the terms, changes to the contract
liability, liable, responsible, responsibility, who pays for damage, held responsible, answerable, compensation, compensate, damages
limit of liability, limited to, maximum amount, cap, capped, up to the amount
negligence, gross negligence, slight negligence, intent, intentional, wilful, willful
damage, damages, damaged, break something, breaks something, broke something, broken, destroyed, damage caused
loss, theft, stolen, stolen items, lost items, valuables, wallet
insurance, insured, insurance cover, policy
warranty claim, defects, defect, faulty, poor work, bad work, not satisfied, unhappy, rework, redo, done again, rectify, remedied, remedy
inspection, inspect, check, acceptance, accept the work, approve
deadline, time limit, period, within, no later than, at the latest
penalty, contractual penalty, fine, liquidated damages, penalties
force majeure, natural disaster, strike, epidemic, pandemic, beyond control, act of god
access, entry, enter, entrance, come in, key to the building, let in
appointment, appointments, schedule, scheduled, reschedule, move the appointment, postpone, postponed, change the date, another date, time slot
missed appointment, not at home, nobody home, nobody is home, not there, cannot get in, no access
subcontractor, subcontractors, subcontract, outsource, outsourcing, other company, engage others
staff, personnel, employees, cleaner, cleaners, workers, same person, who comes
key handover, keys kept, keep a key
materials, supplies, cleaning products, who brings, provides the equipment, provided by
sla, uptime, availability, available, outage, outages, downtime, maintenance window, down
support, help, assistance, helpdesk, response time, respond, responds, reaction time, answer within, reply
backup, backups, back up, back-ups, restore data, copies of data
data, my data, customer data, export data, data export, hand over data, get my data
deletion, delete, deleted, erased, removed, erase
server location, data centre, data center, stored in, hosted, hosting, servers, where is data stored
encryption, encrypted, secure, security
user accounts, users, seats, licences, licenses, license, licence, number of users
upgrade, downgrade, change plan, switch plans, other plan, higher plan, tariff change
fair use, limits, quota, storage space, traffic
intellectual property, copyright, ownership, rights, who owns, belongs to, property of
reference customer, use our name, logo, advertising
law, governing law, applicable law, which law, jurisdiction, court, place of jurisdiction, courts, dispute, disputes, arbitration, mediation, legal
severability, invalid, ineffective
minor, minors, under 18, under-age, underage, parents' consent, parental consent, legal guardian, guardian
health, healthy, medical condition, heart, pregnant, fit to exercise, illness
trainer, trainers, coach, personal trainer, instructor, instructors
courses, classes, group classes, class, yoga, fitness class
equipment, machines, weights, treadmill, apparatus
~ sauna, wellness area, pool, solarium
towel, towel required, indoor shoes, sports shoes, clean shoes, trainers, sportswear
drinks, bring own drinks, glass bottles, bottle, bottles, food and drink
video surveillance, cctv, camera, cameras, monitored, filmed, footage, recordings
house rules, rules, behaviour, conduct, regulations, code of conduct
ban, banned, expel, expelled, exclude, kicked out, thrown out, house ban
guest pass, day pass, day ticket, bring a guest, ten-visit card, single entry
order, orders, ordering, place an order, buy, purchase, purchased
minimum order, minimum order value, order at least, smallest order
delivery time, delivery times, how long does delivery take, shipping time, when will it arrive, delivered within, arrive, arrives, takes to arrive
delivery area, deliver to, ship to, shipping countries, send to, outside the country, ship abroad, international shipping
shipping cost, shipping costs, delivery fee, delivery charge, delivery cost, postage, free shipping, free delivery
tracking, track, tracking number, where is my parcel, parcel status, shipment status
pick up in store, collect, collection, click and collect, store pickup, pick it up, collected
wrong item, wrong product, wrong size, incorrect item, sent the wrong
damaged on arrival, arrived broken, arrived damaged, broken on delivery, transport damage
exchange, exchanged, exchanges, swap, different size, other size, size exchange
return, returns, returned, send back, give back, bring back, right of return, return period
return label, return shipping, return postage, who pays the return, cost of return
opened, used, unused, original packaging, with tags, worn
sale, sale items, reduced items, clearance
sold out, out of stock, in stock, available again, restock, availability
gift wrap, gift wrapping, wrapped, wrapping paper, as a gift
made to order, custom, customised, customized, bespoke, personalised, personalized, engraved
size chart, sizes, runs small, true to size
preorder, pre-order, reserve, reserved, put aside, hold for me
reservation, reserve, reserve a table, book a table, table, tables, booking
group booking, large group, groups, large party, company event, private event, private party
corkage, own wine, bring my own bottle, bring own food, own food, own cake
menu, dishes, dish, set menu, lunch menu, courses
takeaway, take away, take-away, takeout, to go
spicy, hot, chilli
portion, portions, serving, servings
doctor's appointment, make an appointment, see a doctor, see the doctor, consultation, consultations
insurance card, health card, health insurance card, insurance certificate
referral, referrals, referred, referral letter
prescription, prescriptions, repeat prescription, medication, medicines, medicine, drug, drugs
test results, results, lab results, findings, blood test, blood tests
fasting, empty stomach, sober, eat before, without eating
fever, temperature, high temperature
pain, painful, hurts, ache, aches
x-ray, x-rays, scan, ultrasound, mri
waiting time, wait, waiting, queue, how long do I have to wait
home visit, house call, home visits
emergency, emergencies, urgent, out of hours, on-call, emergency service
private patient, private patients, self-payer, self-pay
interpreter, translator, speak english, which languages, languages spoken
form, forms, fill in, fill out, complete the form, application form
document, documents, papers, paperwork, certificate, certificates, proof, id, identification
passport, identity card, id card, driving licence, driver's license, driving license, photo id, ID
age limit, minimum age, how old, at least years old, from the age of, aged, years of age, under the age of
permission, consent, approval, approve, approved, allowed, permitted, agree, agreed
prohibited, forbidden, not allowed, banned, must not, not permitted, may not, cannot, no smoking
required, necessary, needed, must, have to, mandatory, compulsory, obligatory, obliged
optional, voluntary, not required, not necessary, no need
maximum, at most, max, up to, no more than, limit, upper limit
minimum, at least, min, no less than, no fewer than
on time, punctual, punctually, in time
contact, get in touch, reach you, reach, reached, call, phone, email, write to, who do I talk to, who should I contact, whom do I ask
responsible person, contact person, in charge, who handles, who deals with, person responsible
website, homepage, web site, online, site, internet
address, where are you, where is it, location, located, find you, directions, how to get there, get there
feedback, review, reviews, rating, ratings
founder, founders, founded, founded by, established, set up, start up, started by, created
inventor, invented, developed, developer
architect, designed, designer, built by, drawn up by
director, manager, head, headed, leader, led, run by, chief, in charge
owner, owned, owns, belongs to, belong to, property of, bought by, in the hands of
cost, costs, cost of building, construction costs, built for, total cost, sum, price
build, built, construct, constructed, construction, erected, put up, building work
opened, opening, inaugurated, inauguration, went into service, entered service, came into operation, put into operation
closed, closure, shut down, discontinued, abandoned, ceased, went out of service, end of operation, decommissioned
destroyed, destruction, burned down, burnt down, fire, demolished, torn down, collapsed, ruin
rebuilt, reconstruction, reconstructed, rebuilding, restored, renovated, renovation, refurbished, modernised, modernized
moved, relocated, move, transferred
killed, died, death, deaths, dead, lost their lives, lost his life, lost her life, drowned, perished, victims, casualties, fatal, fatalities, death toll
born, birth, birthplace, native of, came into the world, place of birth, date of birth
grew up, childhood, raised, upbringing, youth
studied, study, university, college, graduated, degree, education, educated, attended, student of
worked, work, job, profession, occupation, career, employed, trade, living, vocation
married, wife, husband, spouse, wedding, marriage, couple
children, sons, daughters, offspring, kids, son, daughter
lived, live, residence, resided, home, settled
award, awards, prize, prizes, medal, honour, honours, honoured, honored, distinction, received
famous for, known for, best known, renowned, celebrated for, reputation
wrote, written, author, book, books, published, novel, writer
painted, painting, paintings, painter, artist, artists
composed, composer, music, musician, musicians, piece
film, movie, documentary, directed
visitors, tourists, guests, people come, attendance, visited, visits, crowd
inhabitants, residents, population, people live, live there, citizens, villagers
religion, religious, church, monks, monastery, temple, shrine
crops, grow, grown, cultivate, cultivated, farming, agriculture, harvest, farmers
mine, mines, mining, miners, dug, extracted, ore, coal
factory, factories, mill, plant, works, produced, production, manufacture
trade, export, exports, exported, import, imported, sold to
railway, railroad, railways, train, trains, line, tracks, rails
ship, ships, vessel, boat, boats, steamer, ferry, ferries
animal, animals, species, wildlife, creatures
tree, trees, forest, forests, woods, wood
weather, climate, rain, rainfall, snow, temperature, temperatures
discovery, discovered, found, find, finds, unearthed, excavated, excavation
research, researchers, study, studies, scientists, investigated, examined, surveyed, survey, analysed, analyzed
sample, samples, sampled, participants, subjects, respondents, took part, participated, interviewed, questioned
method, methods, how was it measured, measured, measurement, recorded, counted, instruments
result, results, findings, found that, outcome, conclusion, concluded, showed
limitation, limitations, weakness, shortcomings, cannot be generalised, caution
funded, funding, financed, sponsor, sponsored, grant, paid for, supported by, money from
increase, increased, rose, risen, grew, grown, went up, higher, growth, more
decrease, decreased, fell, fallen, dropped, declined, decline, went down, lower, shrank, reduction, fewer, less
compared, comparison, difference, differences, differed, versus, than
half, fifty percent, 50 percent
third, one third, 33 percent
quarter, one quarter, 25 percent
double, doubled, twice, two times
youngest, oldest, eldest
biggest, largest, greatest, longest, tallest, highest
smallest, shortest, lowest, least
first, initially, originally, at first, beginning
last, final, finally, latest, most recent
previous, previously, former, formerly, before, earlier, used to be
today, nowadays, now, currently, at present, these days, still
ban, banned, prohibition, outlawed
famous, popular, well-known, favourite, favorite
nickname, nicknamed, called, known as, named, name, names
~ breakfast, lunch, dinner, meal, meals, food, eat, restaurant, kitchen
~ dog, dogs, cat, cats, animals
~ taxi, bus, train, car, transport, get there
~ shower, bath, bathtub, bathroom
~ swimmers, swim, bathing, pool, lifeguard
~ computer, laptop, tablet, phone, device
~ music, loud, noise, radio, party
~ rain, weather, storm, wet
~ ill, illness, doctor, hospital, medical, patient
~ illness, disease, fever, flu, infection, malaria, cold
~ teacher, school, pupil, class, lesson
~ winter, october, november, open from, closed season
~ money, pay, price, cost, amount, fee
~ stairs, steps, lift, elevator, floor
~ heavy, weight, kilos, kg
~ wind, storm, gale
~ shoes, boots, clothes, clothing, wear
~ car, vehicle, drive, parking
~ bottle, bottles, drink, drinks, water
~ key, lock, door, code, open the door
~ camera, film, photo, record
~ letter, email, post, write, writing
~ accident, injury, damage, emergency
~ noise, quiet, sound, decibel
~ elderly, old, senior, age
~ lawyer, court, law, legal
~ boss, manager, director, owner
~ wine, beer, alcohol, drink
~ fruit, vegetables, food
~ salary, pay, money, wages, hour
~ holiday, leave, day off, closed
~ knife, blade, cut, sharp
~ hot, heat, warm, temperature, burn
~ electricity, power, plug, socket, battery
slow, slowly, trickle, trickles, drop by drop, drips, thin stream, runs slowly
foam, froth, froths, frothing, crema, foamy, milk foam
puddle, overflow, overflows, overflowed, water stands, spilled, spilt
worktop, counter, kitchen counter, table top
under, underneath, beneath, below
ground coffee, pre-ground, pre ground, powder, ground beans, decaf
grind size, grind setting, fineness, grind, coarse, coarser, fine, finer
rent, rents, fee, fees, monthly fee
kept, keep, stored, store, retained, deleted after, erased after, kept for, saved
undo, unlock, release, cancel, deactivate
bonus, supplement, premium, extra pay, allowance, surcharge
overtime, past the end, overrun, overruns, run over, extra hours, longer than planned
contribute, contribution, towards, pay towards, put towards, subsidise, share of the cost
whatsapp, messages, texting, text message, text messages, chat
uniform, uniforms, tunic, tunics, scrubs, overall, overalls
prick, needle, needlestick, needle stick, sharps
grandmother, grandfather, grandparent, grandparents, uncle, aunt, cousin, relatives, relative
check-up, checkup, check up, examination, treatment, routine treatment
in advance, ahead, beforehand, weeks before, days before, months before, at least weeks before, early enough
late arrival, later arrival, later arrivals, after closing, after hours
tall glass, mug, cup, cups, glass, glasses
chargeable, free, for free, at no charge, costs extra, cost extra, pay extra
dispatch, send, sent, post, posted, mail, mailed
allowance, limit, cap, maximum
lukewarm, cold, not hot, hot enough, temperature
scratched, scratch, scratches, dent, dents
unwell, fever, ill, illness, sick, sickness, cold, flu, vomiting, diarrhoea, diarrhea
wages, wage, pay, paid, salary, salaries, pay day, payday, get paid
~ wine, present, presents, gift, gifts, chocolates, flowers
~ phone, phones, mobile, whatsapp, messages, calls
~ shoes, uniform, clothes, wear
haircut, cut, trim, hair cut, cutting
beard, beards, shave, shaving
dye, dyeing, colour, color, tint, highlights, balayage
perm, curls, waves
blow-dry, blow dry, styling, updo
men, mens, gentlemen, gents, male
women, ladies, womens, female
shirt, shirts, blouse, blouses
trousers, pants, jeans, slacks
suit, suits, jacket, jackets, blazer
dress, dresses, gown, gowns, skirt
curtain, curtains, drapes
carpet, carpets, rug, rugs
sofa, couch, settee, upholstery
tyre, tyres, tire, tires, wheel, wheels
oil change, engine oil, oil
brakes, brake, brake pads
inspection, mot, roadworthiness, service interval
windscreen, windshield, wiper, wipers
puncture, flat tyre, flat tire, puncture repair
sew, sewing, stitch, stitching, hem, take in, take up, alter, alteration, alterations
button replacement, sew on a button, buttons
business card, business cards, flyer, flyers, leaflet, leaflets, brochure, poster, posters
black and white, monochrome, b/w
double-sided, duplex, both sides
bind, binding, spiral, laminate, laminating
frame, frames, framing
rush order, express, same day, same-day, next day, priority, urgent
by weight, per kilo, per kg, a kilo
per person, each, per head, a person, per guest, per participant
per piece, each, apiece, per item, unit price
per page, a page, per sheet, a sheet
per night, a night, nightly, overnight stay
bulk discount, quantity discount, from ten, larger quantities, volume
home delivery, deliver, bring it to me, delivered to your door
call-out charge, call out fee, travel charge, travelling costs, journey, come to my home, come to us
quote, estimate, cost estimate, quotation, offer
assembly service, installation service, fitted, fitting
disposal of the old, old device, take the old one away, take back
half an hour, 30 minutes, thirty minutes
an hour and a half, 90 minutes
one and a half, 1.5
a dozen, twelve
fortnight, two weeks, 14 days
a week, seven days, 7 days
quarterly, every three months, four times a year
twice a year, every six months, half-yearly
washing machine, washer, washing programme, laundry
spin, spinning, spin speed
drum, door seal, rubber seal
refrigerator, fridge, freezer, freezer compartment
defrost, defrosting, frost-free, ice builds up
oven, baking, bake, baking tray
hob, induction, hotplate, burner
microwave, microwaves, turntable, watts
kettle, boil, boiling
toaster, toast, slices
rice cooker, rice, cook rice
bread maker, bread machine, dough, loaf
blender, mixer, mix, blend
vacuum cleaner, hoover, vacuuming
robot, robot vacuum, docking station, base station, dock
humidifier, dehumidifier, air purifier, purifier
heater, radiator, fan heater, heating element
air conditioner, cooling mode, remote control
router, modem, network name, ssid, wifi name
printer, cartridge, ink, toner, paper jam
camera, lens, memory card, shutter
headphones, earphones, earbuds, headset
watch, strap, wristband
thermometer, sensor, probe
scale, scales, weigh, weighing
lawnmower, lawn mower, mow, mowing, grass
drill, screwdriver, screws, screw
e-bike, pedelec, electric bike, motor assistance, range
child seat, car seat, harness, belt
waterproof, splash-proof, water resistant, in the rain, under water
fully charged, full, charging complete, charge level, battery level
low battery, battery is low, empty battery, battery is empty, flat battery
ventilation, vents, air vents, air inlet, cover the openings, blocked air
unplug, pull the plug, disconnect, disconnect from the mains, plug out
flammable, explosive, gas, petrol, inflammable
electric shock, shock, danger of death
cool down, let it cool, cooled
run dry, without water, no water
boil over, boiled over, overflows
cracks, cracked, chipped
rust, rusty, corrosion, corrode
sticky, stain, residue, deposits
firmware, software update, update, version
quiet mode, night mode, silent mode, sleep mode
favourite, favorites, store a setting, save my settings, memory
language setting, change the language, menu language
date and time, set the clock, clock
volume, louder, quieter
brightness, dim, dimmer
interval, how often, every, regularly, regular, frequency
lifespan, service life, last, lasts, durability
compatible, compatibility, fits, suitable for, works with
third-party, other brands, other manufacturers, genuine, original parts, non-original
import, grey import, abroad warranty
proof of purchase, receipt, invoice, date of purchase
commercial use, professional use, private household, household use, domestic use, in a business, in an office
age of children, from 8 years, eight years, under eight
weight limit, maximum weight, load capacity, how much can it carry, bear
slope, hill, uneven
left-handed, right-handed
pet, animals, dog, cat, paws
sublet, subletting, sublease, airbnb, rent it out
keeping animals, keep a dog, keep pets, animals allowed
renovation, redecorate, paint the walls, cosmetic repairs, painting
drilling holes, holes in the wall, hang pictures
utilities, utility costs, service charges, heating costs, electricity bill, water bill, ancillary costs
moving out, move out, hand back, handover, return of the keys, final inspection
moving in, move in, handover, receive the keys
viewing, viewings, show the flat, inspect the flat
quiet time, quiet hours, rest period, night-time peace, noise after
waste, rubbish, garbage, bins, trash, separate the waste
stairwell, staircase, hallway, corridor, entrance hall
cellar, basement, storage room, attic
parking space, garage, parking bay
heating failure, heating does not work, no hot water, hot water
mould, mold, damp, airing, ventilate
key copies, number of keys, additional keys, spare key
guarantor, surety, credit check
non-compete, competition, compete
exclusivity, exclusive, solely
warranty, warranties, representation
indemnify, indemnity, hold harmless
invoice, invoicing, bill, billing, billed
retainer, flat rate, lump sum, fixed price, all-in
hourly rate, per hour, by the hour, time and materials
expenses, travel expenses, out-of-pocket, disbursements
milestone, milestones, delivery date, schedule, deadline
acceptance, accepted, approve, sign off, tacitly
revision, revisions, correction loop, rounds, changes included
source files, working files, raw files, hand over files
usage rights, rights of use, licence, license, copyright, exclusive rights
credit, name the author, named as author, byline
reference, portfolio, show the work
absence, replacement, substitute, stand in
cancellation by the customer, customer cancels, called off
working materials, tools, provide equipment
working place, place of work, place of performance, where is the work done, on site
notice must be, form of notice, email enough, by email
surviving, after the end of the contract, after termination, beyond the term
amendments in writing, written form, verbal, oral, orally
translation, which language version, german version prevails, prevails
commissioned, commission, client
vote, voted, election, elected
peace, treaty, agreement
king, queen, emperor, monarch, ruled, reign, crowned
soldier, soldiers, army, troops, military
flood, flooded, floods, high water
earthquake, quake, eruption, erupted, volcano
storm, hurricane, gale, struck
epidemic, plague, disease, outbreak
famine, hunger, starved, starvation
church, cathedral, abbey, chapel
castle, fortress, palace, fort
bridge, spans, span, crossing
canal, lock, locks, waterway
lake, reservoir, dam
island, isle, peninsula
valley, gorge, canyon
source, rises, spring, origin, flows into, mouth
border, borders, frontier
colour, coloured, painted, red, blue, green, yellow
material, made of, built of, built from, consists of, timber, brick, stone
style, gothic, baroque, modern
roof, tower, dome, facade
statue, sculpture, monument, memorial
collection, exhibits, exhibition, on display
closed on, open on, opening days
annual, every year, each year, takes place, held, celebrated
festival, fair, celebration, event
team, club, players, player
match, game, games, won, lost, champion, championship, title
record, fastest, highest score
stadium, arena, ground, capacity
engine, horsepower, top speed, km/h, mph
production, units, built until, manufactured
successor, replaced by, followed by, predecessor, preceded by
species, genus, family, scientific name, latin name
habitat, lives in, found in, occurs in, range
diet, eats, feeds on, feed on, prey
lifespan, lives up to, live for
offspring, young, eggs, lays, litter, breeding
endangered, threatened, extinct, extinction, protected
symptom, symptoms, signs
treatment, treated, therapy, cure, cured
cause, caused by, triggered, result of, because
effect, effects, impact, influence, consequences
significant, significance, significantly, p-value
correlation, correlated, associated, relationship, related
average, mean, median, on average
percentage, percent, share, proportion, rate
control group, controls, comparison group
hypothesis, expected, assumption, assumed
survey, questionnaire, asked, answered, interview, interviews
period of study, study period, between, from, lasted, carried out, conducted
region, area, site, sites, place, location, where
ethics, approved, committee, consent
conflict of interest, competing interests, no conflict
further research, future studies, future work, should be studied
recommend, recommendation, suggest, advise, should
how early, how far ahead, how far in advance, how soon, how long before
work from, working from, work abroad, working abroad, from abroad
`;
