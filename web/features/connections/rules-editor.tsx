import {
  ActionIcon,
  Button,
  Input,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState, type ComponentType } from 'react';
import { ruleMatches, ruleTimes, type Hours, type KeywordRule } from '../../../shared/contracts/connections.ts';
import { formatChoice } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useOrder } from '../../ui/use-order.ts';
import classes from './connections.module.css';
import { ScheduleFields, scheduleInShort } from './schedule-fields.tsx';
import { usualSchedule } from './spans.ts';
import { zoneHere } from './zone-here.ts';

const most = 50;
const emptyRule: KeywordRule = {
  phrases: [],
  match: 'contains',
  when: 'always',
  schedule: null,
  reply: '',
  rich: null,
  handOff: false,
  tag: '',
};

const readyKinds = ['booking', 'hours', 'money'] as const;

/** A rule that many shops have, to begin with and to change. */
function readyRule(kind: (typeof readyKinds)[number], t: Translate<'connections'>): KeywordRule {
  return {
    ...emptyRule,
    phrases: t(`rules.ready.${kind}.phrases`).split(','),
    ...(kind === 'hours' ? { reply: t('rules.ready.hours.reply') } : { handOff: true }),
    ...(kind === 'booking' && { tag: t('rules.ready.booking.tag') }),
  };
}

/** How a rich message is chosen, by another feature. */
export type RichField = ComponentType<{
  value: string | null;
  onChange(uuid: string | null): void;
  error: string | undefined;
}>;

interface Props {
  RichField: RichField;
  hours: Hours | null;
  rules: KeywordRule[];
  /** Which a tried message has matched, counted from 0. */
  matched: number | null;
  onChange(rules: KeywordRule[]): void;
  fieldError(path: string): string | undefined;
}

/** What happens to a message by its words; one rule is open at a time. */
export function RulesEditor({ RichField, hours, rules, matched, onChange, fieldError }: Props) {
  const { t } = useTranslation('connections');
  const examples = useId();
  const [open, setOpen] = useState<KeywordRule>();
  const { list, told, handle } = useOrder(rules, { onChange, moved: (number) => t('rules.moved', { number }) });
  const add = (rule: KeywordRule) => {
    setOpen(rule);
    onChange([...rules, rule]);
  };
  const ready = readyKinds
    .map((kind) => ({ kind, rule: readyRule(kind, t) }))
    .filter(({ rule: { phrases } }) => !rules.some((rule) => rule.phrases.some((phrase) => phrases.includes(phrase))));
  const set = (at: number, rule: KeywordRule) => {
    setOpen(rule);
    onChange(rules.with(at, rule));
  };
  return (
    <>
      <div ref={list}>
        {rules.map((rule, at) => {
          const isOpen = rule === open;
          const number = at + 1;
          return (
            <div
              key={at}
              className={classes['rule']}
              role="group"
              aria-label={t('rules.rule', { number })}
              data-matched={at === matched || undefined}
              data-open={isOpen || undefined}
            >
              <div className={classes['ruleHead']}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={t('rules.move', { number })}
                  {...handle(at)}
                >
                  <IconGripVertical size={16} />
                </ActionIcon>
                <UnstyledButton
                  className={classes['ruleName'] ?? ''}
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? undefined : rule)}
                >
                  {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
                  <span className={classes['number']} aria-hidden>
                    {number}
                  </span>
                  <Summary rule={rule} number={number} />
                </UnstyledButton>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={t('rules.remove', { number })}
                  onClick={() => onChange(rules.toSpliced(at, 1))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </div>
              {isOpen ? (
                <RuleFields
                  RichField={RichField}
                  hours={hours}
                  rule={rule}
                  onChange={(next) => set(at, next)}
                  fieldError={(field) => fieldError(`rules.${at}.${field}`)}
                />
              ) : (
                fieldError(`rules.${at}`) && (
                  <p className={classes['problem']} role="alert">
                    {fieldError(`rules.${at}`)}
                  </p>
                )
              )}
            </div>
          );
        })}
      </div>
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      {rules.length < most && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          mt="sm"
          onClick={() => add({ ...emptyRule })}
        >
          {t('rules.add')}
        </Button>
      )}
      {rules.length < 3 && ready.length > 0 && (
        <div className={classes['ready']} role="group" aria-labelledby={examples}>
          <p id={examples} className={classes['hint']}>
            {t('rules.examples')}
          </p>
          {ready.map(({ kind, rule }) => (
            <UnstyledButton key={kind} onClick={() => add(rule)}>
              <IconPlus size={14} aria-hidden />
              <Summary rule={rule} />
            </UnstyledButton>
          ))}
        </div>
      )}
    </>
  );
}

function Summary({
  rule: { phrases, match, when, schedule, reply, rich, handOff, tag },
  number,
}: {
  rule: KeywordRule;
  number?: number;
}) {
  const { t } = useTranslation('connections');
  const quoted = formatChoice(phrases.map((phrase) => t('rules.quote', { phrase })));
  const isWhole = match === 'any' || phrases.length > 0;
  const time =
    when === 'schedule' ? schedule && scheduleInShort(schedule) : when === 'always' ? '' : t(`rules.times.${when}`);
  const does = [
    ...(reply.trim() ? [t('rules.quote', { phrase: reply.trim() })] : []),
    ...(rich !== null ? [t('rules.does.rich')] : []),
    ...(handOff ? [t('rules.does.handOff')] : []),
    ...(tag.trim() ? [t('rules.does.tag', { tag })] : []),
  ];
  return (
    <span className={classes['summary']}>
      <b>{isWhole ? t(`rules.when.${match}`, { phrases: quoted }) : t('rules.new', { number })}</b>
      {isWhole && time && <span className={classes['time']}>{time}</span>}
      {isWhole &&
        (does.length > 0 ? (
          <span className={classes['quiet']}>{does.join(t('common:dot'))}</span>
        ) : (
          <State kind="warning">{t('rules.does.nothing')}</State>
        ))}
    </span>
  );
}

interface FieldsProps {
  RichField: RichField;
  /** When people are there; null for at any time. */
  hours: Hours | null;
  rule: KeywordRule;
  onChange(rule: KeywordRule): void;
  fieldError(path: string): string | undefined;
}

const byHours: KeywordRule['when'][] = ['open', 'closed'];

function RuleFields({ RichField, hours, rule, onChange, fieldError }: FieldsProps) {
  const { t } = useTranslation('connections');
  const set = (changes: Partial<KeywordRule>) => onChange({ ...rule, ...changes });
  return (
    <Stack className={classes['ruleFields'] ?? ''}>
      <h3>{t('rules.if')}</h3>
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
                ...(when === 'schedule' && { schedule: rule.schedule ?? usualSchedule(hours?.timezone ?? zoneHere()) }),
              })
            }
          />
        </div>
      </Input.Wrapper>
      {rule.when === 'schedule' && rule.schedule && (
        <ScheduleFields
          schedule={rule.schedule}
          onChange={(schedule) => set({ schedule })}
          error={fieldError('schedule') ?? fieldError('schedule.last') ?? fieldError('schedule.weekdays')}
        />
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
      <RichField value={rule.rich} onChange={(rich) => set({ rich })} error={fieldError('rich')} />
      <Switch
        label={t('rules.handOff')}
        checked={rule.handOff}
        onChange={(event) => set({ handOff: event.currentTarget.checked })}
      />
      <TextInput
        label={t('rules.tag')}
        description={t('rules.tagHint')}
        value={rule.tag}
        onChange={(event) => set({ tag: event.currentTarget.value })}
        maxLength={40}
        error={fieldError('tag')}
      />
    </Stack>
  );
}
