import { Anchor, MultiSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { botLimits } from '../../../shared/contracts/bots.ts';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useRetrievalSliders } from '../../lib/retrieval-sliders.ts';
import { useKnownLabels } from '../../lib/labels.ts';
import { LabelFilter } from '../../lib/label-filter.tsx';
import { SliderField } from '../../ui/slider-field.tsx';
import { Section, type SectionProps } from './section.tsx';
import { VariableTextarea } from './variable-textarea.tsx';

interface Props extends SectionProps {
  bases: Knowledge[] | undefined;
  onVariable(name: string): void;
}

export function KnowledgeSection({ values, set, fieldError, bases, onVariable }: Props) {
  const { t } = useTranslation('bots-editor');
  const sliders = useRetrievalSliders(values.retrieval, (retrieval) => set('retrieval', retrieval));
  const known = useKnownLabels(values.knowledges);
  const gone = bases ? values.knowledges.filter((uuid) => !bases.some((base) => base.uuid === uuid)) : [];
  return (
    <Section name="knowledge">
      <MultiSelect
        label={t('knowledge.bases')}
        description={t('knowledge.basesHint')}
        placeholder={values.knowledges.length === 0 ? t('knowledge.basesPlaceholder') : ''}
        data={[
          ...(bases ?? []).map((base) => ({ value: base.uuid, label: base.name })),
          ...gone.map((uuid) => ({ value: uuid, label: t('knowledge.gone') })),
        ]}
        value={values.knowledges}
        onChange={(knowledges) => set('knowledges', knowledges)}
        maxValues={botLimits.knowledges}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('common:clear') }}
        nothingFoundMessage={t('knowledge.basesNone')}
        error={fieldError('knowledges')}
      />
      {bases?.length === 0 && (
        <Anchor component={Link} to="/Knowledge/Add" size="sm">
          {t('knowledge.basesAdd')}
        </Anchor>
      )}
      {values.knowledges.length > 0 && (
        <LabelFilter
          known={known}
          value={values.filter}
          onChange={(filter) => set('filter', filter)}
          error={fieldError('filter')}
        />
      )}
      {sliders.map((slider) => (
        <SliderField key={slider.label} {...slider} />
      ))}
      <VariableTextarea
        label={t('knowledge.refusal')}
        description={t('knowledge.refusalHint')}
        placeholder={t('knowledge.refusalPlaceholder')}
        value={values.refusal}
        variables={values.variables}
        onChange={(refusal) => set('refusal', refusal)}
        onVariable={onVariable}
        minRows={2}
        maxLength={1000}
        error={fieldError('refusal')}
      />
      <VariableTextarea
        label={t('knowledge.quoteLead')}
        description={t('knowledge.quoteLeadHint')}
        placeholder={t('knowledge.quoteLeadPlaceholder')}
        value={values.quoteLead}
        variables={values.variables}
        onChange={(quoteLead) => set('quoteLead', quoteLead)}
        onVariable={onVariable}
        minRows={1}
        maxLength={300}
        error={fieldError('quoteLead')}
      />
    </Section>
  );
}
