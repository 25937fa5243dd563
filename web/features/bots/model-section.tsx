import { Button, Group, Select, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { builtInService, type Price } from '../../../shared/contracts/services.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, useServices } from '../../lib/session.ts';
import { ServiceSelect } from '../../ui/service-select.tsx';
import { UsualSlider } from '../../ui/usual-slider.tsx';
import { Section, type SectionProps } from './section.tsx';
import { useServiceOptions } from './service-options.ts';

const reasonings = ['none', 'low', 'medium', 'high'] as const;
const none = 'none';

export interface ModelSlots {
  /** What a hundred usual answers cost whoever has a key of their own, in words. */
  costOf(price: Price): string;
  /** What a usual answer costs in credits; nothing while that is not known. */
  creditsOf(service: string): string | undefined;
  /** The way to a model of one's own. */
  keyDialog(dialog: { opened: boolean; onClose(): void; onUse(service: string): void }): ReactNode;
}

export function ModelSection({ values, set, fieldError, costOf, creditsOf, keyDialog }: SectionProps & ModelSlots) {
  const { t } = useTranslation('bots-editor');
  const services = useServices();
  const [isAdding, setIsAdding] = useState(false);
  const mayManage = useMay('manage');
  const options = useServiceOptions(values.service);
  const fallbacks = useServiceOptions(values.fallback ?? undefined).filter(({ value }) => value !== values.service);
  const chosen = services.find(({ uuid }) => uuid === values.service);
  const { parameters } = values;
  const credits = creditsOf(values.service);
  const tune = (changes: Partial<typeof parameters>) => set('parameters', { ...parameters, ...changes });
  const cost = !chosen?.price
    ? ''
    : chosen.price.in === 0 && chosen.price.out === 0
      ? t('model.free')
      : chosen.key === 'workspace'
        ? t('model.costOwn', { cost: costOf(chosen.price) })
        : credits && t('model.cost', { credits });
  return (
    <Section name="model">
      <ServiceSelect
        label={t('model.service')}
        description={values.service === builtInService ? t('model.builtIn') : undefined}
        nothingFound={t('model.noneFound')}
        options={options}
        value={values.service}
        error={
          fieldError('service') ??
          (services.length > 0 && chosen?.availability !== 'ready' ? t('model.notReady') : undefined)
        }
        onChange={(service) => set('service', service)}
      />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {cost}
        </Text>
        {mayManage && (
          <Button size="xs" variant="light" leftSection={<IconKey size={14} />} onClick={() => setIsAdding(true)}>
            {t('model.addKey')}
          </Button>
        )}
      </Group>
      <ServiceSelect
        label={t('model.fallback')}
        description={t('model.fallbackHint')}
        nothingFound={t('model.noneFound')}
        options={[{ value: none, name: t('model.fallbackNone'), tag: '', tooltip: [] }, ...fallbacks]}
        value={values.fallback ?? none}
        error={fieldError('fallback')}
        onChange={(fallback) => set('fallback', fallback === none ? null : fallback)}
      />
      {values.service !== builtInService && (
        <>
          <UsualSlider
            label={t('model.temperature')}
            description={t('model.temperatureHint')}
            usual={t('model.usual')}
            value={parameters.temperature}
            start={0.3}
            min={0}
            max={2}
            step={0.1}
            format={formatNumber}
            error={fieldError('parameters.temperature')}
            onChange={(temperature) => tune({ temperature })}
          />
          <UsualSlider
            label={t('model.topP')}
            description={t('model.topPHint')}
            usual={t('model.usual')}
            value={parameters.topP}
            start={0.9}
            min={0}
            max={1}
            step={0.05}
            format={formatNumber}
            error={fieldError('parameters.topP')}
            onChange={(topP) => tune({ topP })}
          />
          <UsualSlider
            label={t('model.maxTokens')}
            description={t('model.maxTokensHint')}
            usual={t('model.usual')}
            value={parameters.maxTokens}
            start={1024}
            min={64}
            max={8192}
            step={64}
            format={formatNumber}
            error={fieldError('parameters.maxTokens')}
            onChange={(maxTokens) => tune({ maxTokens })}
          />
          {chosen?.capabilities.includes('reasoning') && (
            <Select
              label={t('model.reasoning')}
              description={t('model.reasoningHint')}
              value={parameters.reasoning ?? 'usual'}
              allowDeselect={false}
              onChange={(value) => tune({ reasoning: reasonings.find((each) => each === value) ?? null })}
              data={[
                { value: 'usual', label: t('model.usual') },
                ...reasonings.map((each) => ({ value: each, label: t(`reasoning.${each}`) })),
              ]}
            />
          )}
        </>
      )}
      {isAdding &&
        keyDialog({
          opened: true,
          onClose: () => setIsAdding(false),
          onUse: (service) => {
            set('service', service);
            setIsAdding(false);
          },
        })}
    </Section>
  );
}
