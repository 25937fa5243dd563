import { Anchor, Input, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ruleMatches, ruleTimes, type Hours, type KeywordRule } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Segments } from '../../ui/segments.tsx';
import classes from './connections.module.css';
import type { RichField } from './rules-editor.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { usualSchedule } from './spans.ts';
import { zoneHere } from './zone-here.ts';

interface FieldsProps {
  RichField: RichField;
  /** When people are there; null for at any time. */
  hours: Hours | null;
  rule: KeywordRule;
  onChange(rule: KeywordRule): void;
  fieldError(path: string): string | undefined;
}

const byHours: KeywordRule['when'][] = ['open', 'closed'];

/** A word and what happens come first; what few rules have is there for whoever asks. */
export function RuleFields({ RichField, hours, rule, onChange, fieldError }: FieldsProps) {
  const { t } = useTranslation('connections');
  const [isMore, setIsMore] = useState(rule.match !== 'contains' || rule.when !== 'always' || rule.rich !== null);
  const set = (changes: Partial<KeywordRule>) => onChange({ ...rule, ...changes });
  const faults = {
    schedule: fieldError('schedule') ?? fieldError('schedule.last') ?? fieldError('schedule.weekdays'),
    rich: fieldError('rich'),
    tag: fieldError('tag'),
  };
  const isWhole = isMore || Object.values(faults).some(Boolean);
  return (
    <Stack className={classes['ruleFields'] ?? ''}>
      <h3>{t('rules.if')}</h3>
      {isWhole && (
        <Input.Wrapper label={t('rules.match')} labelElement="div">
          <div>
            <Segments
              label={t('rules.match')}
              value={rule.match}
              options={ruleMatches.map((value) => ({ value, label: t(`rules.matches.${value}`) }))}
              onChange={(match) => set({ match })}
            />
          </div>
        </Input.Wrapper>
      )}
      {rule.match !== 'any' && (
        <TagsInput
          label={t('rules.phrases')}
          description={t('rules.phrasesHint')}
          value={rule.phrases}
          onChange={(phrases) => set({ phrases: phrases.map((phrase) => phrase.slice(0, 100)) })}
          maxTags={20}
          acceptValueOnBlur
          error={fieldError('phrases')}
        />
      )}
      {isWhole && (
        <Input.Wrapper
          label={t('rules.time')}
          labelElement="div"
          {...(byHours.includes(rule.when) && { description: t('rules.timeHint') })}
          inputWrapperOrder={['label', 'description', 'input']}
        >
          <div>
            <Segments
              label={t('rules.time')}
              isWide
              value={rule.when}
              options={ruleTimes
                .filter((value) => hours || value === rule.when || !byHours.includes(value))
                .map((value) => ({ value, label: t(`rules.times.${value}`) }))}
              onChange={(when) =>
                set({
                  when,
                  ...(when === 'schedule' && {
                    schedule: rule.schedule ?? usualSchedule(hours?.timezone ?? zoneHere()),
                  }),
                })
              }
            />
          </div>
        </Input.Wrapper>
      )}
      {isWhole && rule.when === 'schedule' && rule.schedule && (
        <ScheduleFields schedule={rule.schedule} onChange={(schedule) => set({ schedule })} error={faults.schedule} />
      )}
      <h3>{t('rules.then')}</h3>
      <Textarea
        label={t('rules.reply')}
        description={t('rules.replyHint')}
        value={rule.reply}
        onChange={(event) => set({ reply: event.currentTarget.value })}
        maxLength={2000}
        autosize
        minRows={2}
        error={fieldError('reply')}
      />
      <Switch
        label={t('rules.handOff')}
        checked={rule.handOff}
        onChange={(event) => set({ handOff: event.currentTarget.checked })}
      />
      {isWhole ? (
        <>
          <RichField value={rule.rich} onChange={(rich) => set({ rich })} error={faults.rich} />
          <TextInput
            label={t('rules.tag')}
            description={t('rules.tagHint')}
            value={rule.tag}
            onChange={(event) => set({ tag: event.currentTarget.value })}
            maxLength={40}
            error={faults.tag}
          />
        </>
      ) : (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className={classes['link'] ?? ''}
          onClick={() => setIsMore(true)}
        >
          {t('rules.more')}
        </Anchor>
      )}
    </Stack>
  );
}
