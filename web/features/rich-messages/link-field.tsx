import { TextInput } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { completed, isLink } from './draft.ts';
import classes from './rich-messages.module.css';

interface Props {
  value: string;
  onChange(uri: string): void;
  error: string | undefined;
}

/** Where a tap leads; while it is empty it says that it is still to be filled in. */
export function LinkField({ value, onChange, error }: Props) {
  const { t } = useTranslation('rich-messages');
  return (
    <div>
      <TextInput
        label={t('action.uri')}
        type="url"
        placeholder="https://"
        value={value}
        maxLength={1000}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={() => {
          if (completed(value) !== value) onChange(completed(value));
        }}
        error={error && value.trim() === '' ? t('action.uriBlank') : error}
      />
      {!isLink(value) && !error && <p className={classes['blank']}>{t('action.uriBlank')}</p>}
    </div>
  );
}
