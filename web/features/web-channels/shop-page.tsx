import { useTranslation, type Locale } from '../../lib/i18n.ts';
import classes from './preview.module.css';

/** A shop that is not there, so that one sees the widget where it will be. */
export function ShopPage({ locale, name }: { locale: Locale; name: string }) {
  const { t } = useTranslation('web-channels');
  const say = (key: Parameters<typeof t>[0]) => t(key, { lng: locale });
  return (
    <div className={classes['shop']} lang={locale} aria-hidden>
      <div className={classes['head']}>
        <b>{name}</b>
        <span>{say('shop.goods')}</span>
        <span>{say('shop.about')}</span>
        <span>{say('shop.journal')}</span>
      </div>
      <div className={classes['hero']}>
        <b>{say('shop.title')}</b>
        <p>{say('shop.text')}</p>
        <i>{say('shop.button')}</i>
      </div>
      <div className={classes['goods']}>
        <div>
          <Mountain />
          <b>{say('shop.first')}</b>
          <span>¥1,480</span>
        </div>
        <div>
          <Leaves />
          <b>{say('shop.second')}</b>
          <span>¥1,620</span>
        </div>
        <div>
          <Night />
          <b>{say('shop.third')}</b>
          <span>¥1,480</span>
        </div>
      </div>
    </div>
  );
}

const frame = { viewBox: '0 0 200 150', preserveAspectRatio: 'xMidYMid slice' };

const Mountain = () => (
  <svg {...frame}>
    <path fill="#f0cbaa" d="M0 0h200v150H0z" />
    <circle cx="146" cy="44" r="22" fill="#d1492f" />
    <path fill="#5f7d8c" d="M0 122 62 52l36 38 26-24 76 62v22H0z" />
    <path fill="#f5f2e9" d="m62 52 15 16-9 5-6-5-11 8-5-6z" />
    <path fill="#2f5d50" d="M0 132c42-22 88-8 118-12s56-12 82-8v38H0z" />
  </svg>
);

const Leaves = () => (
  <svg {...frame}>
    <path fill="#e4ead6" d="M0 0h200v150H0z" />
    {[20, 62, 104, 146, 188].map((x, at) => (
      <g key={x} fill={at % 2 ? '#4d7f4a' : '#2f6b3a'}>
        <path d={`M${x} 142q-24-34 0-74q24 40 0 74z`} />
        <path d={`M${x - 20} 76q-18-26 0-58q18 32 0 58z`} />
      </g>
    ))}
  </svg>
);

const Night = () => (
  <svg {...frame}>
    <path fill="#24324f" d="M0 0h200v150H0z" />
    <circle cx="138" cy="44" r="26" fill="#f1e4b4" />
    <path fill="#2e4469" d="M26 112V72h44v40zM86 112V52h30v60zM132 112V82h50v30z" />
    <path fill="#e8a90c" d="M34 80h7v8h-7zM52 80h7v8h-7zM93 62h6v8h-6zM142 90h7v8h-7z" />
    <path fill="#141d31" d="M0 112h200v38H0z" />
  </svg>
);
