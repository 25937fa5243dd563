import { z } from 'zod';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

export const Service = z.object({
  uuid,
  name: z.string(),
  group: z.enum(['model', 'other', 'image-model']),
  avatar: z.object({ url: z.string() }),
  provider: z.string(),
  modelId: z.string(),
  capabilities: z.array(z.enum(['vision', 'tools', 'json', 'embeddings'])),
  contextTokens: z.number().int(),
  /** US dollars per million tokens; null where the operator has not said. */
  price: z.object({ in: z.number(), out: z.number(), cached: z.number() }).nullable(),
  availability: z.enum(['ready', 'needs-key', 'disabled']),
  reason: z.string().nullable(),
});
export type Service = z.output<typeof Service>;

/** The keyless model is always there. */
export const builtInService = '4b6f7461-6500-8000-8000-000000000001';

export const services = {
  list: route('GET', '/api/service', { summary: 'Every model service, as a plain array', access: 'anyone', reply: z.array(Service) }),
};
