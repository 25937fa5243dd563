/* Icons for cells: what Tabler's icons are drawn with, since a canvas cannot draw a component. */
import { __iconNode as calendarEvent } from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs';
import { __iconNode as clock } from '@tabler/icons-react/dist/esm/icons/IconClock.mjs';
import { __iconNode as mapPin } from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs';
import { __iconNode as phone } from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs';
import { __iconNode as mail } from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import { __iconNode as messageCircle } from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs';
import { __iconNode as headset } from '@tabler/icons-react/dist/esm/icons/IconHeadset.mjs';
import { __iconNode as helpCircle } from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { __iconNode as infoCircle } from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { __iconNode as buildingStore } from '@tabler/icons-react/dist/esm/icons/IconBuildingStore.mjs';
import { __iconNode as shoppingBag } from '@tabler/icons-react/dist/esm/icons/IconShoppingBag.mjs';
import { __iconNode as shoppingCart } from '@tabler/icons-react/dist/esm/icons/IconShoppingCart.mjs';
import { __iconNode as gift } from '@tabler/icons-react/dist/esm/icons/IconGift.mjs';
import { __iconNode as ticket } from '@tabler/icons-react/dist/esm/icons/IconTicket.mjs';
import { __iconNode as discount } from '@tabler/icons-react/dist/esm/icons/IconDiscount.mjs';
import { __iconNode as creditCard } from '@tabler/icons-react/dist/esm/icons/IconCreditCard.mjs';
import { __iconNode as coin } from '@tabler/icons-react/dist/esm/icons/IconCoin.mjs';
import { __iconNode as receipt } from '@tabler/icons-react/dist/esm/icons/IconReceipt.mjs';
import { __iconNode as truck } from '@tabler/icons-react/dist/esm/icons/IconTruck.mjs';
import { __iconNode as tag } from '@tabler/icons-react/dist/esm/icons/IconTag.mjs';
import { __iconNode as toolsKitchen2 } from '@tabler/icons-react/dist/esm/icons/IconToolsKitchen2.mjs';
import { __iconNode as coffee } from '@tabler/icons-react/dist/esm/icons/IconCoffee.mjs';
import { __iconNode as soup } from '@tabler/icons-react/dist/esm/icons/IconSoup.mjs';
import { __iconNode as bread } from '@tabler/icons-react/dist/esm/icons/IconBread.mjs';
import { __iconNode as cake } from '@tabler/icons-react/dist/esm/icons/IconCake.mjs';
import { __iconNode as iceCream } from '@tabler/icons-react/dist/esm/icons/IconIceCream.mjs';
import { __iconNode as beer } from '@tabler/icons-react/dist/esm/icons/IconBeer.mjs';
import { __iconNode as fish } from '@tabler/icons-react/dist/esm/icons/IconFish.mjs';
import { __iconNode as scissors } from '@tabler/icons-react/dist/esm/icons/IconScissors.mjs';
import { __iconNode as hanger } from '@tabler/icons-react/dist/esm/icons/IconHanger.mjs';
import { __iconNode as shirt } from '@tabler/icons-react/dist/esm/icons/IconShirt.mjs';
import { __iconNode as diamond } from '@tabler/icons-react/dist/esm/icons/IconDiamond.mjs';
import { __iconNode as stethoscope } from '@tabler/icons-react/dist/esm/icons/IconStethoscope.mjs';
import { __iconNode as dental } from '@tabler/icons-react/dist/esm/icons/IconDental.mjs';
import { __iconNode as pill } from '@tabler/icons-react/dist/esm/icons/IconPill.mjs';
import { __iconNode as paw } from '@tabler/icons-react/dist/esm/icons/IconPaw.mjs';
import { __iconNode as leaf } from '@tabler/icons-react/dist/esm/icons/IconLeaf.mjs';
import { __iconNode as flower } from '@tabler/icons-react/dist/esm/icons/IconFlower.mjs';
import { __iconNode as barbell } from '@tabler/icons-react/dist/esm/icons/IconBarbell.mjs';
import { __iconNode as bath } from '@tabler/icons-react/dist/esm/icons/IconBath.mjs';
import { __iconNode as bed } from '@tabler/icons-react/dist/esm/icons/IconBed.mjs';
import { __iconNode as home } from '@tabler/icons-react/dist/esm/icons/IconHome.mjs';
import { __iconNode as building } from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import { __iconNode as briefcase } from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs';
import { __iconNode as school } from '@tabler/icons-react/dist/esm/icons/IconSchool.mjs';
import { __iconNode as book } from '@tabler/icons-react/dist/esm/icons/IconBook.mjs';
import { __iconNode as notebook } from '@tabler/icons-react/dist/esm/icons/IconNotebook.mjs';
import { __iconNode as checklist } from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs';
import { __iconNode as car } from '@tabler/icons-react/dist/esm/icons/IconCar.mjs';
import { __iconNode as bus } from '@tabler/icons-react/dist/esm/icons/IconBus.mjs';
import { __iconNode as train } from '@tabler/icons-react/dist/esm/icons/IconTrain.mjs';
import { __iconNode as plane } from '@tabler/icons-react/dist/esm/icons/IconPlane.mjs';
import { __iconNode as camera } from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs';
import { __iconNode as photo } from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import { __iconNode as movie } from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs';
import { __iconNode as music } from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs';
import { __iconNode as news } from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import { __iconNode as speakerphone } from '@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs';
import { __iconNode as bell } from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { __iconNode as star } from '@tabler/icons-react/dist/esm/icons/IconStar.mjs';
import { __iconNode as heart } from '@tabler/icons-react/dist/esm/icons/IconHeart.mjs';
import { __iconNode as crown } from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs';
import { __iconNode as award } from '@tabler/icons-react/dist/esm/icons/IconAward.mjs';
import { __iconNode as user } from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { __iconNode as users } from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { __iconNode as id } from '@tabler/icons-react/dist/esm/icons/IconId.mjs';
import { __iconNode as qrcode } from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs';
import { __iconNode as world } from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import { __iconNode as language } from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs';
import { __iconNode as brandInstagram } from '@tabler/icons-react/dist/esm/icons/IconBrandInstagram.mjs';
import { __iconNode as brandX } from '@tabler/icons-react/dist/esm/icons/IconBrandX.mjs';
import { __iconNode as brandYoutube } from '@tabler/icons-react/dist/esm/icons/IconBrandYoutube.mjs';
import { __iconNode as search } from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { __iconNode as settings } from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import { __iconNode as listDetails } from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs';
import { __iconNode as arrowLeft } from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { __iconNode as arrowRight } from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs';
import { __iconNode as moodSmile } from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';

/** Drawn on 24 × 24. By the names that designs keep. */
export const icons = new Map<string, string[]>(
  Object.entries({
    'calendar-event': calendarEvent,
    clock,
    'map-pin': mapPin,
    phone,
    mail,
    'message-circle': messageCircle,
    headset,
    'help-circle': helpCircle,
    'info-circle': infoCircle,
    'building-store': buildingStore,
    'shopping-bag': shoppingBag,
    'shopping-cart': shoppingCart,
    gift,
    ticket,
    discount,
    'credit-card': creditCard,
    coin,
    receipt,
    truck,
    tag,
    'tools-kitchen-2': toolsKitchen2,
    coffee,
    soup,
    bread,
    cake,
    'ice-cream': iceCream,
    beer,
    fish,
    scissors,
    hanger,
    shirt,
    diamond,
    stethoscope,
    dental,
    pill,
    paw,
    leaf,
    flower,
    barbell,
    bath,
    bed,
    home,
    building,
    briefcase,
    school,
    book,
    notebook,
    checklist,
    car,
    bus,
    train,
    plane,
    camera,
    photo,
    movie,
    music,
    news,
    speakerphone,
    bell,
    star,
    heart,
    crown,
    award,
    user,
    users,
    id,
    qrcode,
    world,
    language,
    'brand-instagram': brandInstagram,
    'brand-x': brandX,
    'brand-youtube': brandYoutube,
    search,
    settings,
    'list-details': listDetails,
    'arrow-left': arrowLeft,
    'arrow-right': arrowRight,
    'mood-smile': moodSmile,
  }).map(([name, parts]) => [name, parts.flatMap(([, { d }]) => d ?? [])]),
);
