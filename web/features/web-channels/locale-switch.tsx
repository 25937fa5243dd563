import { Input } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { Segments } from '../../ui/segments.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';

type Props = Pick<PartProps, 'locale' | 'onLocale'>;

/** Texts are written in each language by itself; the preview goes along. */
export function LocaleSegments({ locale, onLocale }: Props) {
  const { t } = useTranslation('web-channels');
  return (
    <Segments
      label={t('texts.language')}
      value={locale}
      options={[
        { value: 'en', label: t('texts.en') },
        { value: 'ja', label: t('texts.ja') },
      ]}
      onChange={onLocale}
    />
  );
}

/** Beside the texts, where there is no room for it above them all. */
export function LocaleSwitch({ isLocaleAbove, ...props }: Props & Pick<PartProps, 'isLocaleAbove'>) {
  const { t } = useTranslation('web-channels');
  if (isLocaleAbove) return null;
  return (
    <Input.Wrapper className={classes['locale'] ?? ''} label={t('texts.language')} labelElement="div">
      <LocaleSegments {...props} />
    </Input.Wrapper>
  );
}
