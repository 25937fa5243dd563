import { Input } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { Segments } from '../../ui/segments.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';

/** Texts are written in each language by itself; the preview goes along. */
export function LocaleSwitch({ locale, onLocale }: Pick<PartProps, 'locale' | 'onLocale'>) {
  const { t } = useTranslation('web-channels');
  return (
    <Input.Wrapper className={classes['locale'] ?? ''} label={t('texts.language')} labelElement="div">
      <Segments
        label={t('texts.language')}
        value={locale}
        options={[
          { value: 'en', label: t('texts.en') },
          { value: 'ja', label: t('texts.ja') },
        ]}
        onChange={onLocale}
      />
    </Input.Wrapper>
  );
}
