import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuLayout } from '../../../shared/menu-layout.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDrop } from '../../ui/use-drop.ts';
import { rolesOf, withExamples, withLabels, withLayout, type Draft, type Sample } from './draft.ts';
import classes from './line-menus.module.css';
import { PictureCanvas } from './picture-canvas.tsx';
import { Preview } from './preview.tsx';
import { applyTheme, newDesign, type ThemeName } from './themes.ts';
import { usePicture } from './use-picture.ts';

/** Of all looks, those that differ most, each with the areas that suit it; of a compact menu those beside. */
const looks = [
  ['shop', 'large-7', 'compact-5'],
  ['ink', 'large-6', 'compact-4'],
  ['mint', 'large-5', 'compact-5'],
  ['tiles', 'large-7', 'compact-5'],
  ['sakura', 'large-4', 'compact-3'],
  ['sea', 'large-2', 'compact-2'],
] as const satisfies [ThemeName, MenuLayout, MenuLayout][];

/** As they are called where each of them is done. */
const steps = ['picture', 'areas', 'settings'] as const;

interface Props {
  channel: string;
  draft: Draft;
  menu: RichMenu;
  menus: RichMenu[];
  sample: Sample;
  /** There is room for a phone beside them. */
  isWide: boolean;
  onLook(draft: Draft): void;
  onUpload(file: File): void;
  onBlank(): void;
}

/** The first step of a menu that has no picture: how it looks. */
export function StartPart({ channel, draft, menu, menus, sample, isWide, onLook, onUpload, onBlank }: Props) {
  const { t } = useTranslation('line-menus');
  const drop = useDrop(([file]) => file && onUpload(file));
  const { size, areas } = draft.menu;
  const isTall = size.width / size.height < 2;
  // Who has said more than one area, or what one does, has chosen how it is divided.
  const isUndivided = areas.length < 2 && areas.every(({ action }) => action === null);
  const drafts = looks.map(([name, large, compact]) => {
    const divided = isUndivided ? withLayout(draft, isTall ? large : compact) : draft;
    const roles = rolesOf(divided.menu, menu.uuid);
    const design = applyTheme(newDesign(roles), name, roles);
    return { name, look: withExamples({ ...divided, design, upload: null }, sample) };
  });
  const [seen, setSeen] = useState<ThemeName>(looks[0][0]);
  const shown = drafts.find(({ name }) => name === seen)?.look;
  return (
    <div className={classes['work']}>
      <div className={classes['start']} data-over={drop.isOver || undefined} {...drop.handlers}>
        <ol>
          {steps.map((step, at) => (
            <li key={step} aria-current={at === 0 ? 'step' : undefined}>
              <span aria-hidden>{at + 1}</span>
              {t(`editor.parts.${step}`)}
            </li>
          ))}
        </ol>
        <h2>{t('start.title')}</h2>
        <p className={classes['hint']}>{t('start.text')}</p>
        <ul>
          {drafts.map(({ name, look }) => (
            <li key={name}>
              <button
                type="button"
                onPointerEnter={() => setSeen(name)}
                onFocus={() => setSeen(name)}
                onClick={() => onLook(look)}
              >
                <Look draft={withLabels(look, sample)} menu={menu} />
                <b>{t(`picture.themes.${name}`)}</b>
                <small>{t('start.areas', { count: look.menu.areas.length })}</small>
              </button>
            </li>
          ))}
        </ul>
        <div className={classes['ownPicture']}>
          <div>
            <b>{t('start.own')}</b>
            <small>{t('start.hint', { width: formatNumber(size.width), height: formatNumber(size.height) })}</small>
          </div>
          <small data-pointer="fine">{t('start.drop')}</small>
          <FileButton onChange={(file) => file && onUpload(file)} accept="image/png,image/jpeg,image/webp">
            {(props) => (
              <Button variant="default" leftSection={<IconUpload size={16} />} {...props}>
                {t('picture.upload')}
              </Button>
            )}
          </FileButton>
        </div>
        <Button variant="default" onClick={onBlank}>
          {t('start.blank')}
        </Button>
      </div>
      {isWide && shown && (
        <aside className={classes['aside']} aria-label={t('preview.label')}>
          <div className={classes['below']}>
            <Seen channel={channel} draft={withLabels(shown, sample)} menu={menu} menus={menus} />
          </div>
        </aside>
      )}
    </div>
  );
}

/** A look as it would be drawn. */
const Look = ({ draft, menu }: { draft: Draft; menu: RichMenu }) => (
  <PictureCanvas source={usePicture(draft, menu)} size={draft.menu.size} />
);

const Seen = ({ draft, ...rest }: Pick<Props, 'channel' | 'draft' | 'menu' | 'menus'>) => (
  <Preview {...rest} draft={draft.menu} picture={usePicture(draft, rest.menu)} />
);
