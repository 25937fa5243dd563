import { z } from 'zod';
import { route } from '../route.ts';

export const Service = z.object({
  uuid: z.string(),
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
export const builtInService = 'kotae-built-in';

export const services = {
  list: route('GET', '/api/service', { summary: 'Every model service, as a plain array', access: 'anyone', reply: z.array(Service) }),
};
