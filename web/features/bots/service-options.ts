import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toServiceOption } from '../../lib/service-option.ts';
import { useServices } from '../../lib/session.ts';

interface ServiceOption {
  imageSrc?: string;
  name: string;
  tag: string;
  value: string;
  tooltip: string[];
}

/** The models to choose from, ready ones first; one that is gone stays in sight where it is still chosen. */
export function useServiceOptions(chosen: string | undefined): ServiceOption[] {
  const { t } = useTranslation('bots-editor');
  const services = useServices().filter(({ group }) => group === 'model');
  const options = services
    .toSorted((one, other) => Number(other.availability === 'ready') - Number(one.availability === 'ready'))
    .map((service) =>
      toServiceOption(
        service,
        [
          t('model.context', { tokens: formatNumber(service.contextTokens) }),
          service.price?.out === 0 ? t('model.freeShort') : '',
          service.availability === 'ready' ? '' : t(`reason.${service.reason ?? 'disabled'}`),
        ].filter(Boolean),
      ),
    );
  const isGone = chosen !== undefined && services.length > 0 && !services.some(({ uuid }) => uuid === chosen);
  return isGone ? [...options, { value: chosen, name: t('model.gone'), tag: '', tooltip: [] }] : options;
}
