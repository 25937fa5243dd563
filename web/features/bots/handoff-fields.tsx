import { Select, TagsInput, Textarea } from '@mantine/core';
import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import type { SectionProps } from './section.tsx';
import classes from './bots.module.css';

const never = 'never';

interface Props extends Pick<SectionProps, 'values' | 'fieldError'> {
  change(changes: Partial<BotConfig['handoff']>): void;
}

/** When it hands over, and what it says then. */
export function HandoffFields({ values, fieldError, change }: Props) {
  const { t } = useTranslation('bots-editor');
  const { handoff } = values;
  return (
    <>
      {values.contact.trim() === '' && (
        <div role="status" className={classes['note']}>
          <State kind="warning">{t('handoff.contactMissing')}</State>
        </div>
      )}
      {handoff.phrases.length === 0 && handoff.afterRefusals === null && (
        <div role="status" className={classes['note']}>
          <State kind="warning">{t('handoff.neverFires')}</State>
        </div>
      )}
      <TagsInput
        label={t('handoff.phrases')}
        description={t('handoff.phrasesHint')}
        value={handoff.phrases}
        onChange={(phrases) => change({ phrases: phrases.map((phrase) => phrase.slice(0, 100)) })}
        maxTags={30}
        acceptValueOnBlur
        error={fieldError('handoff.phrases')}
      />
      <Select
        label={t('handoff.afterRefusals')}
        description={t('handoff.afterRefusalsHint')}
        value={String(handoff.afterRefusals ?? never)}
        allowDeselect={false}
        onChange={(value) => change({ afterRefusals: value === never ? null : Number(value) })}
        data={[
          { value: never, label: t('handoff.never') },
          ...Array.from({ length: 10 }, (_, at) => ({
            value: String(at + 1),
            label: t('handoff.times', { count: at + 1 }),
          })),
        ]}
      />
      <Textarea
        label={t('handoff.reply')}
        description={t('handoff.replyHint')}
        value={handoff.reply}
        onChange={(event) => change({ reply: event.currentTarget.value })}
        autosize
        minRows={2}
        maxLength={1000}
        error={fieldError('handoff.reply')}
      />
    </>
  );
}
