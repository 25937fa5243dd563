import { trials } from '../../../shared/contracts/services.ts';
import type { Feature } from '../../feature.ts';
import { answerRoutes } from './answers.routes.ts';

/** Answers to questions, for whoever asks on whichever channel. */
export const answers: Feature = { name: 'answers', contracts: [trials], routes: answerRoutes };
