import { openai as contract } from '../../../shared/contracts/openai.ts';
import type { Feature } from '../../feature.ts';
import { openAiError } from './openai-errors.ts';
import { openAiRoutes } from './openai.routes.ts';

/** The door for programs that speak OpenAI's API. */
export const openai: Feature = {
  name: 'openai',
  contracts: [contract],
  routes: openAiRoutes,
  door: { prefix: '/v1/', toError: openAiError },
};
