import { Stack, Text } from '@mantine/core';
import { diffArrays } from 'diff';
import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { differencesOf, type Difference, type Names, type Value } from './differences.ts';
import classes from './versions.module.css';

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
    <Stack gap={20}>
      {found.map((difference) => (
        <section
          key={difference.field}
          aria-label={t(`field.${difference.field}`)}
          className={classes['difference'] ?? ''}
        >
          <h3>{t(`field.${difference.field}`)}</h3>
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
      <p className={classes['text']}>
        <del className={classes['removed']}>
          <Said field={difference.field} value={difference.before} />
        </del>
        {' → '}
        <ins className={classes['added']}>
          <Said field={difference.field} value={difference.after} />
        </ins>
      </p>
    );
  }
  return (
    <ul className={classes['list']}>
      {difference.added.map((each) => (
        <li key={`+${each}`}>
          <span>{t('diff.added')}</span> <ins className={classes['added']}>{each}</ins>
        </li>
      ))}
      {difference.removed.map((each) => (
        <li key={`-${each}`}>
          <span>{t('diff.removed')}</span> <del className={classes['removed']}>{each}</del>
        </li>
      ))}
      {difference.changed.map((each) => (
        <li key={`~${each}`}>
          <span>{t('diff.changed')}</span> {each}
        </li>
      ))}
      {difference.isMoved && <li>{t('diff.moved')}</li>}
    </ul>
  );
}

/** Word by word, also where no spaces are between words. */
function Words({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('bots-editor');
  const isWhole = before === '' || after === '';
  const segmenter = new Intl.Segmenter(formatLocale(), { granularity: 'word' });
  const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const parts = inPhrases(
    diffArrays(wordsOf(before), wordsOf(after)).map(({ value, added, removed }) => ({
      value: value.join(''),
      kind: added ? 'added' : removed ? 'removed' : 'kept',
    })),
  );
  return (
    <div className={classes['text']}>
      {isWhole && <span className={classes['whole']}>{t(before ? 'diff.removed' : 'diff.added')} </span>}
      {parts.map(({ value, kind }, at) =>
        kind === 'added' ? (
          <ins key={at} className={classes['added']}>
            {value}
          </ins>
        ) : kind === 'removed' ? (
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

interface Part {
  value: string;
  kind: 'added' | 'removed' | 'kept';
}

/** Words that were replaced one after another are read as one phrase, with the spaces between them. */
function inPhrases(parts: Part[]): Part[] {
  const phrases: Part[] = [];
  let [removed, added] = ['', ''];
  const end = () => {
    if (removed) phrases.push({ value: removed, kind: 'removed' });
    if (added) phrases.push({ value: added, kind: 'added' });
    [removed, added] = ['', ''];
  };
  for (const [at, { value, kind }] of parts.entries()) {
    if (kind === 'removed') removed += value;
    else if (kind === 'added') added += value;
    else if (removed && added && at < parts.length - 1 && /^[^\S\n]+$/.test(value)) {
      removed += value;
      added += value;
    } else {
      end();
      phrases.push({ value, kind });
    }
  }
  end();
  return phrases;
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
