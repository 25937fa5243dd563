import { createHash } from 'node:crypto';
import { builtInService, type Service } from '../../../shared/contracts/services.ts';
import type { Config } from '../../infra/config.ts';
import type { Log } from '../../infra/log.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { builtIn } from './built-in.ts';
import type { ModelProvider } from './model.ts';
import { openAiCompatible } from './openai-compatible.ts';

export interface Models {
  /** Every service there is, those that cannot be used now with the reason. */
  services(): Promise<Service[]>;
  /** The provider and its model behind a service, or nothing when there is none of that id. */
  find(service: string): Promise<{ provider: ModelProvider; model: string } | undefined>;
}

const freshMs = 60_000;

/** The providers of this installation: the built-in one, and what the operator configured. */
export function createModels(config: Config, log: Log): Models {
  const providers: ModelProvider[] = [builtIn()];
  if (config.OPENAI_COMPATIBLE_BASE_URL) {
    const { host, protocol, port, hostname } = new URL(config.OPENAI_COMPATIBLE_BASE_URL);
    providers.push(
      openAiCompatible({
        baseUrl: config.OPENAI_COMPATIBLE_BASE_URL,
        apiKey: config.OPENAI_COMPATIBLE_API_KEY,
        models: config.OPENAI_COMPATIBLE_MODELS,
        // The operator chose this address, private or not.
        outbound: createOutbound([...config.ALLOW_PRIVATE_HOSTS, port ? host : `${hostname}:${protocol === 'https:' ? 443 : 80}`]),
      }),
    );
  }
  const known = new Map<string, { at: number; services: Service[] }>();

  const servicesOf = async (provider: ModelProvider): Promise<Service[]> => {
    const cached = known.get(provider.name);
    if (cached && Date.now() - cached.at < freshMs) return cached.services;
    try {
      const models = await provider.listModels(AbortSignal.timeout(5_000));
      const services = models.map((model): Service => ({
        uuid: serviceId(provider.name, model.id),
        name: model.name,
        group: 'model',
        avatar: { url: `/services/${provider.name}.svg` },
        provider: provider.name,
        modelId: model.id,
        capabilities: model.capabilities,
        contextTokens: model.contextTokens,
        price: provider.name === 'built-in' ? { in: 0, out: 0, cached: 0 } : null,
        availability: 'ready',
        reason: null,
      }));
      known.set(provider.name, { at: Date.now(), services });
      return services;
    } catch (err) {
      log.warn({ err, provider: provider.name }, 'the models of a provider cannot be listed');
      return (cached?.services ?? []).map((service) => ({ ...service, availability: 'disabled', reason: 'unreachable' }));
    }
  };

  return {
    services: async () => (await Promise.all(providers.map(servicesOf))).flat(),
    async find(service) {
      for (const provider of providers) {
        const offered = (await servicesOf(provider)).find((candidate) => candidate.uuid === service);
        if (offered) return { provider, model: offered.modelId };
      }
      return undefined;
    },
  };
}

/** The same model has the same id on every node and after every start: a UUIDv8 (RFC 9562 §5.8) made of its names. */
function serviceId(provider: string, model: string): string {
  if (provider === 'built-in') return builtInService;
  const hex = createHash('sha256').update(`${provider}/${model}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
