import { Anchor, Autocomplete, Combobox, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { LineSettings } from '../../../shared/contracts/line-channels.ts';
import { problemOf } from '../../lib/error-text.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-channels.module.css';
import { useTranscribers } from './line-channels.queries.ts';

interface Props {
  value: LineSettings['transcription'];
  mayChange: boolean;
  error: string | undefined;
  onChange(value: LineSettings['transcription']): void;
}

/** Which of the workspace's model keys writes voice messages down, and with which model; or how there could be one. */
export function VoiceFields({ value, mayChange, error, onChange }: Props) {
  const { t } = useTranslation('line-channels');
  const { data: keys, error: failure } = useTranscribers(mayChange);
  if (keys?.length === 0 && !value)
    return (
      <p className={classes['text']}>
        {t('settings.voice.none')}
        {gap()}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link {...props} to="/Token" search={{ tab: 'models' }} />}
        >
          {t('settings.voice.toKeys')}
        </Anchor>
      </p>
    );
  const chosen = keys?.find(({ key }) => key === value?.key);
  return (
    <>
      <Select
        label={t('settings.voice.key')}
        description={value ? t('settings.voice.on') : t('settings.voice.off')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value?.key ?? ''}
        data={[
          { value: '', label: t('settings.voice.nothing') },
          ...(keys ?? []).map(({ key, name }) => ({ value: key, label: name })),
          ...(value && !chosen ? [{ value: value.key, label: keys ? t('settings.voice.gone') : value.model }] : []),
        ]}
        allowDeselect={false}
        error={problemOf(failure)}
        onChange={(key) =>
          onChange(key ? { key, model: keys?.find((each) => each.key === key)?.models[0] ?? '' } : null)
        }
      />
      {value && (
        <Autocomplete
          label={t('settings.voice.model')}
          value={value.model}
          data={chosen?.models ?? []}
          // What is chosen is not searched for: the others are there to be chosen, too.
          filter={({ options }) => options}
          maxLength={200}
          rightSection={chosen && chosen.models.length > 1 && <Combobox.Chevron />}
          rightSectionPointerEvents="none"
          error={error}
          onChange={(model) => onChange({ ...value, model })}
        />
      )}
    </>
  );
}
