import { TextInput } from '@mantine/core';
import { callScheme } from '../../../shared/line-uri.ts';
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
  const calls = value.startsWith(callScheme);
  const scheme = calls ? callScheme : '';
  const blank = t(calls ? 'action.phoneBlank' : 'action.uriBlank');
  return (
    <div>
      <TextInput
        label={t(calls ? 'action.phone' : 'action.uri')}
        type={calls ? 'tel' : 'url'}
        placeholder={calls ? '03-1234-5678' : 'https://'}
        value={value.slice(scheme.length)}
        maxLength={1000}
        onChange={(event) => onChange(scheme + event.currentTarget.value.replace(scheme, ''))}
        onBlur={() => {
          if (completed(value) !== value) onChange(completed(value));
        }}
        error={error && value.trim() === scheme ? blank : error}
      />
      {!isLink(value) && !error && <p className={classes['blank']}>{blank}</p>}
    </div>
  );
}
