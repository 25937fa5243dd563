import type { Service } from '../../../shared/contracts/services.ts';
import { formatDollars, formatShort } from '../../lib/amounts.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toServiceOption } from '../../lib/service-option.ts';
import { useServices } from '../../lib/session.ts';
import type { ServiceOption } from '../../ui/service-select.tsx';

/** The models to choose from by provider, those that cannot answer last; one that is gone stays in sight where it is still chosen. */
export function useServiceOptions(chosen: string | undefined): ServiceOption[] {
  const { t } = useTranslation('bots-editor');
  const services = useServices().filter(({ group }) => group === 'model');
  const isReady = ({ availability }: Service) => availability === 'ready';
  const groupOf = (service: Service) =>
    !isReady(service)
      ? t('model.groupOther')
      : service.provider === 'built-in'
        ? t('model.groupHere')
        : (service.vendor ?? t('model.compatible'));
  const factsOf = (service: Service) => {
    const { price, reason, capabilities, contextTokens } = service;
    if (!isReady(service)) return [t(`reason.${reason ?? 'disabled'}`)];
    return [
      capabilities.includes('vision') ? t('model.vision') : '',
      t('model.context', { tokens: formatShort(contextTokens) }),
      price === null
        ? ''
        : price.in === 0 && price.out === 0
          ? t('model.freeShort')
          : t('model.price', { in: formatDollars(price.in), out: formatDollars(price.out) }),
    ].filter(Boolean);
  };
  const options = distinct(services, chosen)
    .toSorted((one, other) => Number(isReady(other)) - Number(isReady(one)))
    .map((service): ServiceOption => {
      const option = toServiceOption(service, factsOf(service));
      const tag = [option.tag, service.key === 'workspace' ? t('model.ownKey') : ''].filter(Boolean).join(', ');
      return { ...option, tag, group: groupOf(service), isOff: !isReady(service) };
    });
  const isGone = chosen !== undefined && services.length > 0 && !services.some(({ uuid }) => uuid === chosen);
  return isGone ? [...options, { value: chosen, name: t('model.gone'), tag: '', tooltip: [] }] : options;
}

/** Without those that nobody could tell from another: the same model by the same kind of key under the same name. */
function distinct(services: Service[], chosen: string | undefined): Service[] {
  const known = new Map<string, Service>();
  for (const service of services) {
    const { provider, modelId, name, key, availability } = service;
    const what = JSON.stringify([provider, modelId, name, key, availability]);
    if (!known.has(what) || service.uuid === chosen) known.set(what, service);
  }
  return [...known.values()];
}
