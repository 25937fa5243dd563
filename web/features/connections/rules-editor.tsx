import { ActionIcon, Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState, type ComponentType } from 'react';
import type { Hours, KeywordRule } from '../../../shared/contracts/connections.ts';
import { formatChoice } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
import { useOrder } from '../../ui/use-order.ts';
import classes from './connections.module.css';
import { scheduleInShort } from './schedule-in-short.ts';

const RuleFields = later(async () => (await import('./rule-fields.tsx')).RuleFields);

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
                  onFail={() => setOpen(undefined)}
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
          {...RuleFields.reach}
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
            <UnstyledButton key={kind} onClick={() => add(rule)} {...RuleFields.reach}>
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
