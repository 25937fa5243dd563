import { Anchor } from '@mantine/core';
import type { Visibility } from '../../../shared/contracts/bots.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { LinkToShare } from '../../ui/link-to-share.tsx';
import { visibilityIcons } from '../../ui/visibility-icons.ts';
import classes from './published.module.css';

interface Props {
  name: string;
  address: string;
  visibility: Visibility | undefined;
  onChangeWho(): void;
}

/** Its address with who can open it, to be copied, sent or printed. */
export function PublishedLink({ name, address, visibility, onChangeWho }: Props) {
  const { t } = useTranslation('bots-publish');
  const Icon = visibility && visibilityIcons[visibility];
  return (
    <section aria-label={t('link')}>
      <p className={classes['who']}>
        {Icon && (
          <>
            <Icon size={16} stroke={1.75} aria-hidden />
            <span>
              {t(`who.${visibility}`)}
              {gap()}
              <Anchor component="button" type="button" inherit underline="always" onClick={onChangeWho}>
                {t('change')}
              </Anchor>
            </span>
          </>
        )}
      </p>
      <LinkToShare
        name={name}
        address={address}
        labels={{ code: t('code'), send: t('shareLink'), download: t('download') }}
        onDownload={(png) => saveFile(png, { name: `${name}.png`, type: 'image/png' })}
      />
    </section>
  );
}
