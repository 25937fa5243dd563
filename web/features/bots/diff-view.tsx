import { List, Stack, Text, Title } from '@mantine/core';
import { diffArrays } from 'diff';
import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { differencesOf, type Difference, type Names, type Value } from './differences.ts';
import classes from './bots.module.css';

interface Props {
  before: BotConfig;
  after: BotConfig;
  names: Names;
}

/** What is different between two states of a bot, field by field. */
export function DiffView({ before, after, names }: Props) {
  const { t } = useTranslation('bots-editor');
  const found = differencesOf(before, after, names);
  if (found.length === 0) return <Text c="dimmed">{t('diff.same')}</Text>;
  return (
    <Stack gap="lg">
      {found.map((difference) => (
        <section key={difference.field} aria-label={t(`field.${difference.field}`)}>
          <Title order={3} size="h6" mb={4}>
            {t(`field.${difference.field}`)}
          </Title>
          <Shown difference={difference} />
        </section>
      ))}
    </Stack>
  );
}

function Shown({ difference }: { difference: Difference }) {
  const { t } = useTranslation('bots-editor');
  if (difference.kind === 'text') return <Words before={difference.before} after={difference.after} />;
  if (difference.kind === 'value') {
    return (
      <Text size="sm">
        <del className={classes['removed']}>
          <Said field={difference.field} value={difference.before} />
        </del>
        {' → '}
        <ins className={classes['added']}>
          <Said field={difference.field} value={difference.after} />
        </ins>
      </Text>
    );
  }
  return (
    <List size="sm" listStyleType="none">
      {difference.added.map((each) => (
        <List.Item key={`+${each}`}>
          {t('diff.added')} <ins className={classes['added']}>{each}</ins>
        </List.Item>
      ))}
      {difference.removed.map((each) => (
        <List.Item key={`-${each}`}>
          {t('diff.removed')} <del className={classes['removed']}>{each}</del>
        </List.Item>
      ))}
      {difference.changed.map((each) => (
        <List.Item key={`~${each}`}>
          {t('diff.changed')} {each}
        </List.Item>
      ))}
      {difference.isMoved && <List.Item>{t('diff.moved')}</List.Item>}
    </List>
  );
}

/** Word by word, also where no spaces are between words. */
function Words({ before, after }: { before: string; after: string }) {
  const segmenter = new Intl.Segmenter(currentLocale(), { granularity: 'word' });
  const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const parts = diffArrays(wordsOf(before), wordsOf(after)).map((part) => ({ ...part, value: part.value.join('') }));
  return (
    <div className={classes['text']}>
      {parts.map(({ value, added, removed }, at) =>
        added ? (
          <ins key={at} className={classes['added']}>
            {value}
          </ins>
        ) : removed ? (
          <del key={at} className={classes['removed']}>
            {value}
          </del>
        ) : (
          <span key={at}>{value}</span>
        ),
      )}
    </div>
  );
}

function Said({ field, value }: { field: Difference['field']; value: Value }) {
  const { t, has } = useTranslation('bots-editor');
  if (typeof value === 'boolean') return t(value ? 'diff.on' : 'diff.off');
  if (value === null || value === '')
    return t(
      field === 'fallback'
        ? 'model.fallbackNone'
        : field === 'afterRefusals'
          ? 'handoff.never'
          : value === null
            ? 'model.usual'
            : 'diff.nothing',
    );
  const word = `${field}.${value}`;
  if ((field === 'language' || field === 'reasoning') && has(word)) return t(word);
  if (field === 'threshold') return `${Math.round(Number(value) * 100)}%`;
  return typeof value === 'number' ? formatNumber(value) : value;
}
