import { MultiSelect } from '@mantine/core';
import type { KnownLabel } from '../../shared/contracts/knowledge.ts';
import type { Labels } from '../../shared/labels.ts';
import { useTranslation } from './i18n.ts';
import { keyOf } from './labels.ts';

interface Props {
  /** To choose from. */
  known: KnownLabel[];
  value: Labels;
  onChange(value: Labels): void;
  /** Without a visible label, where there is little room. */
  isBare?: boolean;
  error?: string | undefined;
}

/** Which documents count, by their tags and fields. */
export function LabelFilter({ known, value, onChange, isBare = false, error }: Props) {
  const { t } = useTranslation('labels', 'common');
  const chosen = [...value.tags.map((tag) => ({ name: null, value: tag })), ...value.fields];
  const all = [...new Map([...chosen, ...known].map((label) => [keyOf(label), label])).values()];
  const pick = (keys: string[]) => {
    const picked = all.filter((label) => keys.includes(keyOf(label)));
    onChange({
      tags: picked.flatMap((label) => (label.name === null ? [label.value] : [])),
      fields: picked.flatMap((label) => (label.name === null ? [] : [{ name: label.name, value: label.value }])),
    });
  };
  return (
    <MultiSelect
      {...(isBare ? { 'aria-label': t('filter') } : { label: t('filter'), description: t('filterHint') })}
      placeholder={chosen.length === 0 ? t('filterAll') : ''}
      data={all.map((label) => ({
        value: keyOf(label),
        label: label.name === null ? label.value : t('pair', { name: label.name, value: label.value }),
      }))}
      value={chosen.map(keyOf)}
      onChange={pick}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common:clear') }}
      nothingFoundMessage={t('filterNone')}
      limit={100}
      error={error}
    />
  );
}
