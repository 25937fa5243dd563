import { Select, Switch, TagsInput, Textarea } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import classes from './bots.module.css';
import { Section, type SectionProps } from './section.tsx';

const never = 'never';

export function HandoffSection({ values, set, fieldError }: SectionProps) {
  const { t } = useTranslation('bots-editor');
  const { handoff } = values;
  const change = (changes: Partial<typeof handoff>) => set('handoff', { ...handoff, ...changes });
  return (
    <Section name="handoff">
      <Textarea
        label={t('handoff.contact')}
        description={t('handoff.contactHint')}
        placeholder={t('handoff.contactPlaceholder')}
        value={values.contact}
        onChange={(event) => set('contact', event.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={1000}
        error={fieldError('contact')}
      />
      <Switch
        label={t('handoff.enabled')}
        description={t('handoff.enabledHint')}
        checked={handoff.enabled}
        onChange={({ currentTarget: { checked: enabled } }) =>
          change({
            enabled,
            ...(enabled && handoff.phrases.length === 0 && { phrases: t('handoff.usualPhrases').split(', ') }),
          })
        }
      />
      {handoff.enabled && (
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
      )}
    </Section>
  );
}
