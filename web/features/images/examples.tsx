import { currentLocale, useTranslation, type Locale } from '../../lib/i18n.ts';
import cup from './examples/en/cup.webp?url&no-inline';
import hills from './examples/en/hills.webp?url&no-inline';
import town from './examples/en/town.webp?url&no-inline';
import waves from './examples/en/waves.webp?url&no-inline';
import cupJa from './examples/ja/cup.webp?url&no-inline';
import hillsJa from './examples/ja/hills.webp?url&no-inline';
import townJa from './examples/ja/town.webp?url&no-inline';
import wavesJa from './examples/ja/waves.webp?url&no-inline';
import classes from './images.module.css';

/** What the sample draws of their words in each language with these seeds, at 480 pixels. */
const examples: Record<Locale, { name: 'hills' | 'cup' | 'waves' | 'town'; picture: string; seed: number }[]> = {
  en: [
    { name: 'hills', picture: hills, seed: 37 },
    { name: 'cup', picture: cup, seed: 1 },
    { name: 'waves', picture: waves, seed: 43 },
    { name: 'town', picture: town, seed: 33 },
  ],
  ja: [
    { name: 'hills', picture: hillsJa, seed: 10 },
    { name: 'cup', picture: cupJa, seed: 66 },
    { name: 'waves', picture: wavesJa, seed: 182 },
    { name: 'town', picture: townJa, seed: 19 },
  ],
};

/** Words to begin with, each below what comes of them; nothing is drawn yet. */
export function Examples({ onChoose }: { onChoose(example: { prompt: string; seed: number }): void }) {
  const { t } = useTranslation('images');
  return (
    <div className={classes['examples']}>
      {examples[currentLocale()].map(({ name, picture, seed }) => (
        <button key={name} type="button" onClick={() => onChoose({ prompt: t(`examples.${name}`), seed })}>
          <img src={picture} alt="" width={480} height={480} />
          <span>{t(`examples.${name}`)}</span>
        </button>
      ))}
    </div>
  );
}
