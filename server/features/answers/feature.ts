import { trials } from '../../../shared/contracts/services.ts';
import type { Feature } from '../../feature.ts';
import { answerRoutes } from './answers.routes.ts';

/** Answers to questions, whoever asks and by whichever way. */
export const answers: Feature = { name: 'answers', contracts: [trials], routes: answerRoutes };
