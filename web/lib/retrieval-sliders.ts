import type { Retrieval } from '../../shared/retrieval.ts';
import { formatNumber, formatShare } from './format.ts';
import { useTranslation } from './i18n.ts';

const strictnessOf = (threshold: number) =>
  threshold === 0 ? 'off' : threshold < 0.3 ? 'loose' : threshold <= 0.5 ? 'balanced' : 'strict';

/** Sliders for how many passages answer, and how well they must fit; of a bot, or of a base. */
export function useRetrievalSliders(value: Retrieval, onChange: (value: Retrieval) => void) {
  const { t } = useTranslation('retrieval');
  const meaning = t(`strictness.${strictnessOf(value.threshold)}`);
  return [
    {
      label: t('passages'),
      description: t('passagesHint'),
      value: value.passages,
      min: 1,
      max: 12,
      step: 1,
      format: formatNumber,
      onChange: (passages: number) => onChange({ ...value, passages }),
    },
    {
      label: t('threshold'),
      description: meaning,
      meaning,
      value: value.threshold,
      min: 0,
      max: 1,
      step: 0.05,
      format: formatShare,
      onChange: (threshold: number) => onChange({ ...value, threshold }),
    },
  ];
}
